--TEST--
RedisLock::acquire(), release(): a lease on the server, and gone again
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();

$lock = new RedisLock($server->options(['name' => 'acquire_release']));
var_dump($lock->isHeld(), $lock->getToken());
var_dump($lock->acquire(), $lock->isHeld(), $lock->isAcquired());
var_dump($redis('GET', 'acquire_release') === $lock->getToken());
expect_between('PTTL', $redis('PTTL', 'acquire_release'), 1, 60000);
expect_between('remaining', $lock->remaining(), 1, 60 - 0.6);
var_dump($lock->release(), $redis('DBSIZE'));
var_dump($lock->isHeld(), $lock->isAcquired(), $lock->getToken(), $lock->remaining());
var_dump($lock->acquire(), $lock->release());
?>
--EXPECT--
bool(false)
NULL
bool(true)
bool(true)
bool(true)
bool(true)
PTTL: ok
remaining: ok
bool(true)
int(0)
bool(false)
bool(false)
NULL
float(0)
bool(true)
bool(true)
