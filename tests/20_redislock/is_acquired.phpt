--TEST--
RedisLock::isAcquired(): asks the server and takes over what it says
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$lock = new RedisLock($server->options(['name' => 'is_acquired', 'ttl' => 60]));
$_ = $lock->acquire();
$redis('PEXPIRE', 'is_acquired', '5000');
var_dump($lock->remaining() > 50, $lock->isAcquired(), $lock->remaining() <= 5, $lock->isHeld());
$redis('PERSIST', 'is_acquired');
var_dump($lock->isAcquired(), $lock->remaining());
$redis('SET', 'is_acquired', 'other');
var_dump($lock->isHeld(), $lock->isAcquired(), $lock->isHeld(), $lock->getToken());
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
float(INF)
bool(true)
bool(false)
bool(false)
NULL
