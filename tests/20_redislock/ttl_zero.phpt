--TEST--
ttl 0: a lease without expiry, and keepAlive(0) makes one
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$lock = new RedisLock($server->options(['name' => 'ttl_zero', 'ttl' => 0]));
var_dump($lock->acquire(), $redis('PTTL', 'ttl_zero'), $lock->remaining(), $lock->isHeld(), $lock->isAcquired());
var_dump($lock->keepAlive(), $redis('PTTL', 'ttl_zero'), $lock->holder()['ttl'], (string) $lock);
var_dump($lock->keepAlive(5), $redis('PTTL', 'ttl_zero') > 0, $lock->remaining() < 5);
var_dump($lock->keepAlive(0), $redis('PTTL', 'ttl_zero'), $lock->remaining());
var_dump($lock->release(), $redis('DBSIZE'));
?>
--EXPECT--
bool(true)
int(-1)
float(INF)
bool(true)
bool(true)
bool(true)
int(-1)
NULL
string(11) "ttl_zero[0]"
bool(true)
bool(true)
bool(true)
bool(true)
int(-1)
float(INF)
bool(true)
int(0)
