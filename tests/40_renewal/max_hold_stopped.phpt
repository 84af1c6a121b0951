--TEST--
max_hold is over in time, too, for a process whose renewal child is stopped
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$s = new Server;
$redis = $s->client();
$config = $s->options(['name' => 'max_hold_stopped', 'ttl' => 30, 'max_hold' => 2]);
$over = fn ($lock) => comes_true(fn () => !$lock->isHeld(), 10);

$lock = new RedisLock($config + ['renew' => true]);
$_ = $lock->acquire();
expect_between('remaining', $lock->remaining(), 0.001, 2);
$child = await_renewal_child(getmypid());
stop_process($child);
var_dump($over($lock), $lock->remaining(), $lock->keepAlive(), $lock->release());
expect_between('left to its ttl (ms)', $redis('PTTL', 'max_hold_stopped'), 10000, 30000);
$redis('DEL', 'max_hold_stopped');

/* An extension extends the key, and not the time to hold it. */
$_ = $lock->acquire();
var_dump($lock->keepAlive(60));
expect_between('remaining', $lock->remaining(), 0.001, 2);
var_dump($over($lock));
unset($lock);
$redis('DEL', 'max_hold_stopped');

try {
	SequenceTask::execute($config, $over);
} catch (RedisLock\LockLostException $e) {
	echo $e->getMessage(), "\n";
}
posix_kill($child, SIGCONT);
--EXPECT--
remaining: ok
bool(true)
float(0)
bool(false)
bool(false)
left to its ttl (ms): ok
bool(true)
remaining: ok
bool(true)
lock "max_hold_stopped" was lost: max_hold is over
