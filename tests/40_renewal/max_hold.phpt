--TEST--
RedisLock: after max_hold the lock counts as lost, its key is left to its ttl
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
require_once __DIR__ . '/../inc/timing.inc';

$s = new Server;
$redis = $s->client();
$config = $s->options(['name' => 'max_hold', 'ttl' => 20, 'interval' => 0.05, 'max_hold' => 1]);

$start = now();
try {
	SequenceTask::execute($config, function () {
		for (;;);
	});
} catch (RedisLock\LockLostException $e) {
	expect_taken('lost after', $start, 0.99, 3);
	echo $e->getMessage(), "\n";
}
expect_between('left to its ttl (ms)', $redis('PTTL', 'max_hold'), 10000, 20000);
$redis('DEL', 'max_hold');

$lock = new RedisLock($config + ['renew' => true, 'on_lost' => 'flag']);
$_ = $lock->acquire();
var_dump($lock->isHeld(), comes_true(fn () => !$lock->isHeld()), $lock->remaining(), $lock->release());
var_dump($redis('EXISTS', 'max_hold'));

/* A run that is over before is not concerned. */
$redis('DEL', 'max_hold');
var_dump(SequenceTask::execute($config, fn () => 'done'), $redis('EXISTS', 'max_hold'));
--EXPECT--
lost after: ok
lock "max_hold" was lost: max_hold is over
left to its ttl (ms): ok
bool(true)
bool(true)
float(0)
bool(false)
int(1)
string(4) "done"
int(0)
