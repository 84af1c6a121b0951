--TEST--
RedisLock::exec(): what is refused, and leaves the lock as it was
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';

$s = new Server;
$redis = $s->client();
$options = $s->options(['name' => 'exec_refused', 'interval' => 0.1, 'renew' => true]);
$lock = new RedisLock($options);
echo 'not held: ', outcome(fn () => $lock->exec('true')), "\n";
$_ = $lock->acquire();
each_outcome([
	'no program' => [''],
	'null byte in the program' => ["a\0b"],
	'in an argument' => ['true', ["a\0b"]],
	'in the environment' => ['true', [], ['A' => "a\0b"]],
	'a name with =' => ['true', [], ['A=B' => '']],
	'no name' => ['true', [], ['' => '']],
	'an array' => ['true', [[]]],
	'grace' => ['true', [], null, -1.0],
	'NAN' => ['true', [], null, NAN],
	'no such file' => ['/no/such/file'],
	'not in PATH' => ['no-such-program'],
	'a folder' => ['/'],
	'not executable' => ['/etc/passwd'],
	'too much' => ['true', [str_repeat('x', 1 << 18)]],
], fn (array $args) => $lock->exec(...$args));

/* All is as before: renewed, and its loss is told. */
pcntl_async_signals(true);
var_dump($lock->isHeld(), is_renewed($redis, 'exec_refused'));
try {
	$redis('DEL', 'exec_refused');
	for ($end = now() + 5; now() < $end;);
} catch (RedisLock\LockLostException $e) {
	echo 'told: ', $e->getMessage(), "\n";
}
echo 'lost: ', outcome(fn () => $lock->exec('true')), "\n";
$flag = new RedisLock(['on_lost' => 'flag'] + $options);
$_ = $flag->acquire();
$redis('DEL', 'exec_refused');
wait_until(fn () => !$flag->isHeld());
echo 'lost, not told: ', outcome(fn () => $flag->exec('true')), "\n";
unset($flag, $lock);

$lock = new RedisLock($options);
$_ = $lock->acquire();
$releases = new class($lock) {
	public function __construct(private RedisLock $lock) {}
	public function __toString(): string
	{
		return json_encode($this->lock->release());
	}
};
echo 'released by an argument: ', outcome(fn () => $lock->exec('true', [$releases])), "\n";

/* Another fiber is about to release it: the program would run without the lock. */
$lock = new RedisLock(['read_timeout' => 60] + $options);
$_ = $lock->acquire();
RedisLock::setPoller(fn () => Fiber::suspend());
$s->freeze();
$fiber = new Fiber($lock->release(...));
$fiber->start();
echo 'in use: ', outcome(fn () => $lock->exec('true')), "\n";
$s->thaw();
while (!$fiber->isTerminated()) {
	$fiber->resume();
}
RedisLock::setPoller(null);

$lease = new RedisLock(['renew' => false, 'interval' => null] + $options);
$_ = $lease->acquire();
echo 'lease: ', outcome(fn () => $lease->exec('true')), "\n";
$lease->release();
$code = '$lock = new RedisLock(["unix_socket" => $argv[1], "name" => "exec_refused", "renew" => true]);
	$_ = $lock->acquire();
	try { $lock->exec("true"); } catch (RedisLock\Exception $e) { echo get_class($e), ": ", $e->getMessage(), ", held: ", json_encode($lock->isHeld()), "\n"; }';
echo (new Php($code, [$s->socket], ['redislock.renewal=thread']))->rest();
/* In a forked copy it is not held. */
echo (new Php('$lock = new RedisLock(["unix_socket" => $argv[1], "name" => "exec_refused", "renew" => true]);
	$_ = $lock->acquire();
	if (pcntl_fork() === 0) {
		try { $lock->exec("true"); } catch (LogicException $e) { echo "copy: ", $e->getMessage(), "\n"; }
		exit;
	}
	pcntl_wait($status);', [$s->socket]))->rest();
?>
--EXPECT--
not held: LogicException: lock "exec_refused" is not held by this object
no program: ValueError: RedisLock::exec(): Argument #1 ($program) must not be empty
null byte in the program: ValueError: RedisLock::exec(): Argument #1 ($program) must not contain any null bytes
in an argument: ValueError: RedisLock::exec(): Argument #2 ($args) must not contain any null bytes
in the environment: ValueError: RedisLock::exec(): Argument #3 ($env) must not contain any null bytes
a name with =: ValueError: RedisLock::exec(): Argument #3 ($env) must have names of variables as keys, without "=" and null bytes
no name: ValueError: RedisLock::exec(): Argument #3 ($env) must have names of variables as keys, without "=" and null bytes
an array: TypeError: RedisLock::exec(): Argument #2 ($args) must be an array of strings
grace: ValueError: RedisLock::exec(): Argument #4 ($grace) is not valid: it must be 0, or a number of seconds of at least 0.001 and at most 315360000, or INF, -1 given
NAN: ValueError: RedisLock::exec(): Argument #4 ($grace) is not valid: it must be 0, or a number of seconds of at least 0.001 and at most 315360000, or INF, NAN given
no such file: RedisLock\Exception: lock "exec_refused": /no/such/file cannot be run: No such file or directory
not in PATH: RedisLock\Exception: lock "exec_refused": no-such-program cannot be run: No such file or directory
a folder: RedisLock\Exception: lock "exec_refused": / cannot be run: Permission denied
not executable: RedisLock\Exception: lock "exec_refused": /etc/passwd cannot be run: Permission denied
too much: RedisLock\Exception: lock "exec_refused": true cannot be run: Argument list too long
bool(true)
bool(true)
told: lock "exec_refused" was lost: its key was deleted or has another owner
lost: RedisLock\LockLostException: lock "exec_refused" was lost: its key was deleted or has another owner
lost, not told: RedisLock\LockLostException: lock "exec_refused" was lost: its key was deleted or has another owner
released by an argument: LogicException: lock "exec_refused" is not held by this object
in use: LogicException: lock "exec_refused" is in use by another fiber, or by the call that this signal handler interrupts
lease: LogicException: lock "exec_refused" is a lease; only a process-bound lock can be handed to a program
RedisLock\RenewalException: lock "exec_refused": a thread renews it, which ends when this process becomes another program, held: true
copy: lock "exec_refused" is not held by this object
