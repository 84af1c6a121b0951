--TEST--
RedisLock\Lock: RedisLock is one, and so is a class of the application's own
--EXTENSIONS--
redislock
--FILE--
<?php
use RedisLock\Lock;

/* What an application's tests pass in its place: nothing of the extension but the interface. */
class LockOfTests implements Lock
{
	private bool $held = false;

	public function acquire(?float $wait = null): bool { return $this->held = true; }
	public function keepAlive(?float $ttl = null): bool { return $this->held; }
	public function release(): bool { [$was, $this->held] = [$this->held, false]; return $was; }
	public function synchronized(callable $code): mixed { return $code($this); }
	public function isHeld(): bool { return $this->held; }
	public function isAcquired(): bool { return $this->held; }
	public function remaining(): float { return $this->held ? 60.0 : 0.0; }
	public function getName(): string { return 'of tests'; }
	public function getFence(): ?int { return null; }
}

function name(Lock $lock): string
{
	return $lock->getName();
}

echo name(new RedisLock(['name' => 'lock_interface'])), ', ', name(new LockOfTests()), "\n";
$theirs = new LockOfTests();
var_dump($theirs->acquire(), $theirs->synchronized(fn (Lock $lock) => $lock->isHeld()), $theirs->release());

/* Everything of RedisLock that speaks of the configured name, and nothing else. A fake need not have the second line. */
$methods = fn (string $class) => array_map(fn (ReflectionMethod $m) => $m->getName(), (new ReflectionClass($class))->getMethods());
echo implode(', ', array_diff($methods(RedisLock::class), $methods(RedisLock\ManagedLock::class))), "\n";
echo implode(', ', array_diff($methods(RedisLock\ManagedLock::class), $methods(Lock::class))), "\n";
?>
--EXPECT--
lock_interface, of tests
bool(true)
bool(true)
bool(true)
__construct, exec, restore, setPoller, newToken, __toString, lock, unlock
forceRelease, holder, holders, upgrade, downgrade, detach, getToken
