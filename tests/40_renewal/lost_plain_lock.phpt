--TEST--
RedisLock\LockLostException: also for a plain lock, wherever the code is by then
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$lock = new RedisLock($s->options(['name' => 'lost_plain_lock', 'renew' => true, 'interval' => 0.1]));
$_ = $lock->acquire();
try {
	$redis('DEL', 'lost_plain_lock');
	for (;;);
} catch (RedisLock\LockLostException $e) {
	echo $e->getMessage(), "\n";
	var_dump($e->hasResult(), $e->getResult(), $e->isRetryable(), $e->getNode(), $e->getPrevious());
}
var_dump($lock->isHeld(), $lock->remaining(), $lock->getToken(), $lock->keepAlive(), $lock->isAcquired(), $lock->release());

/* Told once; after that the object can acquire anew. */
pause(0.2, 'it would be told again meanwhile');
var_dump($lock->acquire(), $lock->isHeld(), $lock->release());
--EXPECT--
lock "lost_plain_lock" was lost: its key was deleted or has another owner
bool(false)
NULL
bool(false)
NULL
NULL
bool(false)
float(0)
NULL
bool(false)
bool(false)
bool(false)
bool(true)
bool(true)
bool(true)
