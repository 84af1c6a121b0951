--TEST--
RedisLock::acquire(): false at once while somebody else has it
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$a = new RedisLock($server->options(['name' => 'conflict']));
$b = new RedisLock($server->options(['name' => 'conflict']));
var_dump($a->acquire(), $b->acquire(), $b->acquire(0));
var_dump($b->isHeld(), $b->isAcquired(), $b->getToken(), $b->keepAlive(), $b->release());
var_dump($a->isAcquired(), $a->release(), $b->acquire(), $a->acquire());
?>
--EXPECT--
bool(true)
bool(false)
bool(false)
bool(false)
bool(false)
NULL
bool(false)
bool(false)
bool(true)
bool(true)
bool(true)
bool(false)
