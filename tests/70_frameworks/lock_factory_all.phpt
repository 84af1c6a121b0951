--TEST--
LockFactory::all(): several names as one lock, on a server, in memory and on one machine
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_adapters(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
load_adapters();
require_once __DIR__ . '/../inc/outcome.inc';
require_once __DIR__ . '/../inc/timing.inc';

use RedisLock\Lock;
use RedisLock\LockFactory;
use RedisLock\Testing\ArrayLockFactory;

$server = new Server();
$redis = $server->client();
$dir = sys_get_temp_dir() . '/lock_factory_all-' . getmypid();
$factories = ['server' => new LockFactory($server->options()), 'memory' => new ArrayLockFactory(), 'machine' => LockFactory::local($dir)];

function caught(callable $code): ?Throwable
{
	try {
		$code();
		return null;
	} catch (Throwable $e) {
		return $e;
	}
}

foreach ($factories as $where => $factory) {
	echo "-- $where\n";
	[$a, $b, $both] = [$factory->lock('a'), $factory->lock('b'), $factory->all(['b', 'a', 'b'])];
	step('all', $both->getName(), $both->acquire(), $a->acquire(), $b->acquire(), $both->getFence(), $both->release());
	step('or none', $b->acquire(), $both->acquire(), $both->acquire(0.5), $both->isHeld(), $a->acquire(), $a->release());
	step('says which', caught(fn () => $both->synchronized('time'))?->getMessage() === caught(fn () => $b->synchronized('time'))?->getMessage() ?:
		str_starts_with(caught(fn () => $both->synchronized('time'))?->getMessage(), 'lock "b": held by'), $a->acquire(), $a->release(), $b->release());
	/* A wait for all together: 0.3 s, not 0.3 s each. */
	$_ = $b->acquire();
	$began = now();
	step('one wait', $factory->all(['a', 'b'], ['wait' => 0.3])->acquire(), $a->acquire());
	if ($where !== 'memory') {
		expect_taken('waited', $began, 0.29, 0.6);
	}
	$a->release();
	$b->release();
}

echo "-- losses\n";
foreach (array_slice($factories, 0, 2) as $where => $factory) {
	$lose = fn () => $factory->managed('b')->forceRelease();
	$both = $factory->all(['a', 'b']);
	step($where, $both->acquire(), $lose(), $both->isAcquired(), $factory->lock('a')->acquire(), $both->isHeld(), $factory->managed('a')->forceRelease());
	step('extended', $both->acquire(), $lose(), $both->keepAlive(), $both->isHeld(), $both->release(), $both->acquire(), $both->release());
	$e = caught(fn () => $both->synchronized(function () use ($lose) { $lose(); return 'result'; }));
	step('in a run', get_class($e), $e->hasResult(), $e->getResult(), $both->isHeld(), $both->acquire(), $both->release());
	step('flag', $factory->all(['a', 'b'], ['on_lost' => 'flag'])->synchronized(function () use ($lose) { $lose(); return 'result'; }));
	$e = caught(fn () => $both->synchronized(function () use ($lose) { $lose(); throw new DomainException(); }));
	step('chained', get_class($e), get_class($e->getPrevious()));
	$noticed = fn (Lock $lock) => [$lose(), $lock->isAcquired(), $lock->isHeld()];
	step('asked', get_class(caught(fn () => $both->synchronized($noticed))), $both->acquire(), $both->release());
}
$e = caught(fn () => $factories['server']->all(['a', 'b'], ['ttl' => 1, 'interval' => 0.1])->synchronized(function () use ($redis) {
	$redis('DEL', 'b');
	pause(5, 'which the loss interrupts');
	return 'result';
}));
step('interrupts', get_class($e), $e->hasResult(), $redis('EXISTS', 'a', 'b'));

/* All three are lost, and the clean-up behind the first exception is not interrupted by more of them. An outer lock is told as well. */
$outer = $factories['server']->lock('outer', ['renew' => true, 'ttl' => 1, 'interval' => 0.1]);
$three = $factories['server']->all(['a', 'b', 'c'], ['renew' => true, 'ttl' => 1, 'interval' => 0.1]);
$cleaned = false;
$told = [];
try {
	$_ = [$outer->acquire(), $three->acquire()];
	try {
		$redis('DEL', 'a', 'b', 'c');
		pause(5, 'which the loss interrupts');
	} catch (RedisLock\LockLostException $e) {
		$told[] = preg_replace('/"[abc]"/', 'one', $e->getMessage());
		pause(0.5, 'in which each of the others would interrupt');
		$cleaned = !$three->isHeld();
	}
	$redis('DEL', 'outer');
	pause(5, 'which the loss interrupts');
} catch (RedisLock\LockLostException $e) {
	$told[] = $e->getMessage();
}
step('one loss', $cleaned, ...$told);
step('and again', $three->acquire(), $three->release(), $outer->isHeld());

echo "-- waits\n";
/* The ttl of what was acquired first does not run out while the second is waited for. */
$redis('SET', 'b', 'foreign', 'PX', '1500');
$both = $factories['server']->all(['a', 'b'], ['ttl' => 2, 'retry_ms' => 10]);
step('extended', $both->acquire(10), $both->remaining() > 0.6, $both->release());
$redis('SET', 'b', 'foreign', 'PX', '1500');
$both = $factories['server']->all(['a', 'b'], ['ttl' => 1, 'retry_ms' => 10]);
step('again', $both->acquire(10), $both->isHeld(), $both->release());
foreach ([['wait' => 0.2], ['waitTime' => '0.2']] as $options) {
	foreach ([new LockFactory($server->options(), $options), new LockFactory($server->options($options)),
		new LockFactory("unix:$server->socket?" . http_build_query($options))] as $factory) {
		$waited = function () use ($redis, $factory): float|string {
			$redis('SET', 'b', 'foreign', 'PX', '5000');
			$began = now();
			try {
				$_ = $factory->all(['a', 'b'])->acquire();
			} catch (RedisLock\ConnectionException $e) {
				return $e->getMessage(); /* not answered within the wait */
			}
			return taken($began, least: 0.19);
		};
		$fine = fn (float|string $took) => $took >= 0.19 && $took <= 0.5;
		$took = unless_stalled($waited, $fine);
		echo 'wait of the factory: ', $fine($took) ? 'ok' : $took, "\n";
	}
}

echo "-- refused\n";
foreach ($factories as $factory) {
	step(outcome(fn () => $factory->all([])), outcome(fn () => $factory->all(['a', ''])));
}
foreach (['fence' => true, 'token' => 'x', 'name' => 'x', 'reentrant' => true] as $option => $value) {
	echo outcome(fn () => $factories['server']->all(['a'], [$option => $value])), "\n";
}
echo outcome(fn () => $factories['server']->all(['a'], ['renew' => false])->synchronized('time')), "\n";
step('left', $redis('DEL', 'b'), $redis('EXISTS', 'a', 'b', 'job'), rmdir($dir));

echo "-- trouble\n";
/** A lock that has to be extended, since it was acquired long before the others, and cannot be. */
final class Late implements Lock
{
	public function __construct(private readonly Lock $lock) {}
	public function acquire(?float $wait = null): bool { return $this->lock->acquire($wait); }
	public function keepAlive(?float $ttl = null): bool { throw new RedisLock\ConnectionException('no answer'); }
	public function release(): bool { return $this->lock->release(); }
	public function synchronized(callable $code): mixed { return $this->lock->synchronized($code); }
	public function isHeld(): bool { return $this->lock->isHeld(); }
	public function isAcquired(): bool { return $this->lock->isAcquired(); }
	public function remaining(): float { return $this->lock->remaining() / 2; }
	public function getName(): string { return $this->lock->getName(); }
	public function getFence(): ?int { return $this->lock->getFence(); }
}
$late = new class($server->options()) extends LockFactory {
	public function lock(string $name, #[SensitiveParameter] array $options = []): Lock
	{
		return $name === 'a' ? new Late(parent::lock($name, $options)) : parent::lock($name, $options);
	}
};
step('none is left', caught(fn () => $late->all(['a', 'b'])->acquire())?->getMessage(), $redis('EXISTS', 'a', 'b'));
/* A handler that turns warnings into exceptions takes nothing from work that is done. */
set_error_handler(fn (int $level, string $text) => throw new ErrorException($text));
step('unconfirmed', $factories['server']->all(['a', 'b'], ['ttl' => 5])->synchronized(function () use ($server) {
	$server->kill();
	return 'done';
}));
?>
--EXPECT--
-- server
all: 'a, b', true, false, false, NULL, true
or none: true, false, false, false, true, true
says which: true, true, true, true
one wait: false, true
waited: ok
-- memory
all: 'a, b', true, false, false, NULL, true
or none: true, false, false, false, true, true
says which: true, true, true, true
one wait: false, true
-- machine
all: 'a, b', true, false, false, NULL, true
or none: true, false, false, false, true, true
says which: true, true, true, true
one wait: false, true
waited: ok
-- losses
server: true, true, false, true, false, true
extended: true, true, false, false, false, true, true
in a run: 'RedisLock\\LockLostException', true, 'result', false, true, true
flag: 'result'
chained: 'DomainException', 'RedisLock\\LockLostException'
asked: 'RedisLock\\LockLostException', true, true
memory: true, true, false, true, false, true
extended: true, true, false, false, false, true, true
in a run: 'RedisLock\\LockLostException', true, 'result', false, true, true
flag: 'result'
chained: 'DomainException', 'RedisLock\\LockLostException'
asked: 'RedisLock\\LockLostException', true, true
interrupts: 'RedisLock\\LockLostException', false, 0
one loss: true, 'lock one was lost: its key was deleted or has another owner', 'lock "outer" was lost: its key was deleted or has another owner'
and again: true, true, false
-- waits
extended: true, true, true
again: true, true, true
wait of the factory: ok
wait of the factory: ok
wait of the factory: ok
wait of the factory: ok
wait of the factory: ok
wait of the factory: ok
-- refused
ValueError: RedisLock\Locks::all(): Argument #1 ($names) must not be empty: 'ValueError: RedisLock::__construct(): Argument #2 ($options) is not valid: option "name" must not be empty'
ValueError: RedisLock\Locks::all(): Argument #1 ($names) must not be empty: 'ValueError: option "name" must not be empty'
ValueError: RedisLock\Locks::all(): Argument #1 ($names) must not be empty: 'ValueError: option "name" must not be empty'
ValueError: Option "fence" cannot be used with all(): it is about a single name.
ValueError: Option "token" cannot be used with all(): it is about a single name.
ValueError: Option "name" cannot be used with all(): it is about a single name.
ValueError: Option "reentrant" cannot be used with all(): it is about a single name.
ValueError: option "renew" must not be false here, where the lock is bound to the process
left: 1, 0, true
-- trouble
none is left: 'no answer', 0
unconfirmed: 'done'
