--TEST--
RedisLock\observe(): is told of a loss that throws, of one that only sets a flag, and of one that nobody could be told of
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$told = [];
RedisLock\observe(function (string $event, array $details) use (&$told): void {
	if ($event === 'lost') {
		$told[] = "$details[kind] $details[name]" . ($details['hold'] !== null ? '' : ', never held');
	}
});
$options = $server->options(['name' => 'observe_lost', 'interval' => 0.02]);
try {
	SequenceTask::execute($options, function () use ($redis) {
		$redis('DEL', 'observe_lost');
		wait_until(fn () => false);
	});
} catch (RedisLock\LockLostException $e) {
	wait_until(fn () => $GLOBALS['told'] !== []);
	step('thrown', $told);
}

$told = [];
$lock = new RedisLock($options + ['renew' => true, 'on_lost' => 'flag']);
$_ = $lock->acquire();
$redis('DEL', 'observe_lost');
wait_until(function () use (&$told) {
	return $told !== [];
});
step('a flag', $told, $lock->isHeld(), $lock->release());

/* The fiber that holds it never runs again. */
$told = [];
$lock = new RedisLock($options + ['renew' => true]);
$fiber = new Fiber(function () use ($lock) {
	$_ = $lock->acquire();
	Fiber::suspend();
});
$fiber->start();
$redis('DEL', 'observe_lost');
wait_until(fn () => !$lock->isHeld());
step('nobody was told', $lock->release(), $told, RedisLock\stats()['lost']);
?>
--EXPECT--
thrown: array (
  0 => 'process-bound observe_lost',
)
a flag: array (
  0 => 'process-bound observe_lost',
), false, false
nobody was told: false, array (
  0 => 'process-bound observe_lost',
), 3
