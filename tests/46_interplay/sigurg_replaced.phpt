--TEST--
SequenceTask::execute(): a user handler put on SIGURG later costs the interruption, neither renewal nor the report
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
if (!extension_loaded('pcntl')) {
	die('skip pcntl is not loaded');
}
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
pcntl_async_signals(true);
$signals = 0;
$config = $s->options(['name' => 'sigurg_replaced', 'ttl' => 1.5, 'interval' => 0.1]);
$replace = function () use (&$signals) {
	wait_until(fn () => renewal_child(getmypid()));
	pcntl_signal(SIGURG, function () use (&$signals) {
		$signals++;
	});
};

/* Kept beyond its ttl all the same. */
var_dump(SequenceTask::execute($config, function (RedisLock $lock) use ($redis, $replace) {
	$replace();
	$token = $lock->getToken();
	var_dump(stays_true(fn () => $redis('GET', 'sigurg_replaced') === $token, 2.5), $lock->isHeld());
	return 'kept';
}));
var_dump($redis('EXISTS', 'sigurg_replaced'));

/* Lost: isHeld() knows, and the end of execute() reports. */
try {
	SequenceTask::execute($config, function (RedisLock $lock) use ($redis, $replace) {
		$replace();
		$redis('DEL', 'sigurg_replaced');
		wait_until(fn () => !$lock->isHeld());
		return 'finished';
	});
	echo "not reached\n";
} catch (RedisLock\LockLostException $e) {
	echo $e->getMessage(), "\n";
}

/* Over although its key is still there: only a look at the slot finds that out. */
try {
	SequenceTask::execute($config + ['max_hold' => 1], function (RedisLock $lock) use ($replace) {
		$replace();
		wait_until(fn () => !$lock->isHeld());
	});
	echo "not reached\n";
} catch (RedisLock\LockLostException $e) {
	echo $e->getMessage(), "\n";
}

/* A signal of somebody else still finds the user's handler. */
$before = $signals;
posix_kill(getmypid(), SIGURG);
wait_until(function () use (&$signals, $before) {
	return $signals > $before;
});
--EXPECT--
bool(true)
bool(true)
string(4) "kept"
int(0)
lock "sigurg_replaced" was lost: its key was deleted or has another owner
lock "sigurg_replaced" was lost: max_hold is over
