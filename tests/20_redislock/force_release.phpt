--TEST--
RedisLock::forceRelease(): deletes it, whoever holds it
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$operator = new RedisLock($server->options(['name' => 'force_release']));
var_dump($operator->forceRelease());
$lock = new RedisLock($server->options(['name' => 'force_release']));
$lock->acquire();
var_dump($operator->forceRelease(), $redis('EXISTS', 'force_release'));
var_dump($lock->isAcquired(), $lock->isHeld(), $lock->release(), $lock->acquire());

/* Its own. */
var_dump($lock->forceRelease(), $lock->isAcquired(), $lock->isHeld(), $lock->acquire());
?>
--EXPECT--
bool(false)
bool(true)
int(0)
bool(false)
bool(false)
bool(false)
bool(true)
bool(true)
bool(false)
bool(false)
bool(true)
