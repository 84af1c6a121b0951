--TEST--
LockFactory::whenUnavailable(): what happens when the server cannot be asked, and never otherwise
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_adapters(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
load_adapters();
require_once __DIR__ . '/../inc/outcome.inc';
require_once __DIR__ . '/../inc/waiting.inc';

use RedisLock\Lock;
use RedisLock\LockFactory;
use RedisLock\Observe\Observer;

$server = new Server;
$redis = $server->client();
$dir = sys_get_temp_dir() . '/lock_factory_unavailable-' . getmypid();
$plain = new LockFactory($server->options(['label' => 'test']));
$local = LockFactory::local($dir);
$files = fn () => count(glob("$dir/*.lock"));
Observer::start($print = fn (string $event, array $details) => $event === 'unavailable' &&
	print("\tunavailable $details[name], $details[kind]: " . (str_starts_with($details['error'], "lock \"$details[name]\": ") ? 'why' : $details['error']) . "\n"));

echo "-- the server is there\n";
foreach (['skip' => 'skip', 'local' => $local] as $what => $then) {
	$locks = $plain->whenUnavailable($then);
	$lock = $locks->lock('job', ['ttl' => 20]);
	step($what, $lock->acquire(), $redis('EXISTS', 'job'), (string) $lock, $locks->lock('job')->acquire(), outcome(fn () => $lock->acquire()),
		$lock->keepAlive(), $lock->remaining() > 10, $lock->release(), $files());
	step('runs', $locks->run('job', fn (Lock $lock) => $lock->isHeld() && $redis('EXISTS', 'job') === 1), $locks->run('job', fn () => func_num_args()));
	$_ = ($other = $plain->lock('job'))->acquire();
	step('held', outcome(fn () => $locks->run('job', 'time')) !== null, $files());
	step('wrong', outcome(fn () => $locks->lock('job', ['tll' => 5])), outcome(fn () => $locks->run('a', fn ($a, $b) => 1)));
	$other->release();
}
step('wrong arguments', outcome(fn () => $plain->whenUnavailable('ignore')), outcome(fn () => $plain->whenUnavailable($plain)),
	outcome(fn () => $plain->whenUnavailable('skip', -1)));
step('no copies', outcome(fn () => clone $lock), outcome(fn () => serialize($lock)));

echo "-- it goes away amid the work: that is told as ever\n";
$locks = $plain->whenUnavailable($local, 0);
$trouble = fn (callable $code) => ($said = outcome($code)) && str_contains($said, 'ConnectionException') ? 'trouble' : $said;
$held = $locks->lock('held');
$_ = $held->acquire();
$gone = new LockFactory("unix:$server->socket.gone");
step('of the code', $trouble(fn () => $locks->run('job', fn () => $gone->lock('inner')->acquire())), $files());
$server->kill();
step('of what is held', $trouble(fn () => $held->isAcquired()), $held->isHeld());

echo "-- it is away\n";
step('by default', $trouble(fn () => $plain->run('job', 'time')), $trouble(fn () => $locks->whenUnavailable('throw')->run('job', 'time')));
$lock = $locks->lock('job', ['ttl' => 20, 'wait' => 0]);
step('local', $lock->acquire(), $lock->isHeld(), $lock->isAcquired(), $lock->remaining(), $files(), $locks->lock('job')->acquire(), $lock->release(), $files());
step('runs', $locks->run('job', fn (Lock $lock) => $lock->isHeld() ? $lock->getName() : ''), $files());
step('excludes', $locks->run('job', fn () => outcome(fn () => $locks->run('job', 'time')) === outcome(fn () => $local->run('job', 'time')) ?: 'no'));
step('several', $locks->all(['a', 'b'])->synchronized(fn () => $files()));
step('not for fences', $trouble(fn () => $locks->lock('job', ['fence' => true])->acquire()), $trouble(fn () => $locks->run('job', 'time', ['reentrant' => true])));
$skip = $plain->whenUnavailable('skip');
step('skip', $skip->lock('job')->acquire(), outcome(fn () => $skip->run('job', 'time')));
foreach (['why' => fn () => $skip->run('job', 'time'), 'why several' => fn () => $skip->all(['job', 'next'])->synchronized('time')] as $what => $run) {
	try {
		$run();
	} catch (RedisLock\NotAcquiredException $e) {
		step($what, $e->getMessage(), $e->getPrevious() ? get_class($e->getPrevious()) : null, $e->isRetryable(), $e->getHolder());
	}
}

echo "-- a receiver of the event locks as well, or throws\n";
Observer::start(function (string $event) use ($skip) {
	echo "\t$event, ", json_encode($skip->lock('log')->acquire()), "\n";
	throw new DomainException('full');
});
step('skip', $skip->lock('job')->acquire());
Observer::start($print);

echo "-- it is back, and asked again after the pause\n";
$paused = $plain->whenUnavailable($local, 3600);
$_ = ($first = $paused->lock('job'))->acquire();
$first->release();
$server->start();
$redis = $server->client();
step('not yet', $paused->run('job', fn () => "{$redis('EXISTS', 'job')} on the server, {$files()} here"));
step('at once', $locks->run('job', fn () => "{$redis('EXISTS', 'job')} on the server, {$files()} here"));

echo "-- it does not answer: what its lock has waited is no wait for the other one\n";
$fast = new LockFactory($server->options(['read_timeout' => 0.9]));
$_ = ($first = $local->lock('job'))->acquire();
$server->freeze();
Observer::start(function (string $event) use (&$from) {
	$from = $event === 'unavailable' ? now() : $from;
});
foreach (['argument' => fn () => $fast->whenUnavailable($local)->lock('job')->acquire(1),
	'option' => fn () => $fast->whenUnavailable($local)->lock('job', ['wait' => '1.0'])->acquire()] as $what => $acquire) {
	step($what, $acquire(), taken($from) < 0.4);
}
Observer::start($print);
$server->thaw();
$first->release();

echo "-- trouble that stays is no absence\n";
$redis('CONFIG', 'SET', 'requirepass', 'secret');
$locks = (new LockFactory($server->options(['persistent' => false])))->whenUnavailable('skip');
step('no password', $trouble(fn () => $locks->lock('job')->acquire()));
echo implode("\n", preg_grep('/^redislock_unavailable/', explode("\n", preg_replace('/,pid="\d+"/', '', RedisLock\Observe\Prometheus::text())))), "\n";
array_map(unlink(...), glob("$dir/*"));
rmdir($dir);
?>
--EXPECTF--
-- the server is there
skip: true, 1, 'job[20]', false, 'LogicException: lock "job" is already held by this object', true, true, true, 0
runs: true, 0
held: true, 0
wrong: 'ValueError: RedisLock::__construct(): Argument #2 ($options) is not valid: unknown option "tll", did you mean "ttl"?', 'ValueError: RedisLock\\Adapter\\ReplaceableLock::synchronized(): Argument #1 ($code) must require at most one parameter (the lock), 2 are required'
local: true, 1, 'job[20]', false, 'LogicException: lock "job" is already held by this object', true, true, true, 0
runs: true, 0
held: true, 0
wrong: 'ValueError: RedisLock::__construct(): Argument #2 ($options) is not valid: unknown option "tll", did you mean "ttl"?', 'ValueError: RedisLock\\Adapter\\ReplaceableLock::synchronized(): Argument #1 ($code) must require at most one parameter (the lock), 2 are required'
wrong arguments: 'ValueError: RedisLock\\LockFactory::whenUnavailable(): Argument #1 ($then) must be "throw", "skip" or LockFactory::local(), and #2 ($pause) from 0 to 3600 seconds', 'ValueError: RedisLock\\LockFactory::whenUnavailable(): Argument #1 ($then) must be "throw", "skip" or LockFactory::local(), and #2 ($pause) from 0 to 3600 seconds', 'ValueError: RedisLock\\LockFactory::whenUnavailable(): Argument #1 ($then) must be "throw", "skip" or LockFactory::local(), and #2 ($pause) from 0 to 3600 seconds'
no copies: 'Error: Trying to clone an uncloneable object of class RedisLock\\Adapter\\ReplaceableLock', 'Exception: Serialization of \'RedisLock\\Adapter\\ReplaceableLock\' is not allowed'
-- it goes away amid the work: that is told as ever
of the code: 'trouble', 0
of what is held: 'trouble', true
-- it is away
by default: 'trouble', 'trouble'
	unavailable job, local: why
	unavailable job, local: why
local: true, true, true, INF, 1, false, true, 0
	unavailable job, local: why
runs: 'job', 0
	unavailable job, local: why
	unavailable job, local: why
excludes: true
	unavailable a, local: why
	unavailable b, local: why
several: 2
not for fences: 'trouble', 'trouble'
	unavailable job, skip: why
	unavailable job, skip: why
skip: false, 'RedisLock\\NotAcquiredException: lock "job": skipped, since the server is away'
	unavailable job, skip: why
why: 'lock "job": skipped, since the server is away', 'RedisLock\\ConnectionException', true, NULL
	unavailable job, skip: why
why several: 'lock "job": skipped, since the server is away', 'RedisLock\\ConnectionException', true, NULL
-- a receiver of the event locks as well, or throws
	unavailable, false

Warning: The observer of locks has thrown DomainException: full in %s on line %d
skip: false
-- it is back, and asked again after the pause
	unavailable job, local: why
	unavailable job, local: why
not yet: '0 on the server, 1 here'
at once: '1 on the server, 0 here'
-- it does not answer: what its lock has waited is no wait for the other one
argument: false, true
option: false, true
-- trouble that stays is no absence
no password: 'trouble'
redislock_unavailable_total{instead="local"} 11
redislock_unavailable_total{instead="skip"} 6
