--TEST--
RedisLock::synchronized(): what the callable acquires itself, having released the lock, is the object's to release
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$lock = new RedisLock($s->options(['name' => 'acquired_in_callable']));
$lock->synchronized(function () use ($lock) {
	var_dump($lock->release(), $lock->acquire());
});
var_dump($lock->isHeld(), $redis('EXISTS', 'acquired_in_callable'));
var_dump($lock->release(), $redis('EXISTS', 'acquired_in_callable'));
--EXPECT--
bool(true)
bool(true)
bool(true)
int(1)
bool(true)
int(0)
