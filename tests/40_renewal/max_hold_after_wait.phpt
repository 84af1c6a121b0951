--TEST--
Option max_hold: what is left of a lock that was waited for is left to the whole ttl, too
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$redis('SET', 'max_hold_after_wait', 'of others', 'PX', 100);
$lock = new RedisLock($s->options(['name' => 'max_hold_after_wait', 'ttl' => 30, 'renew' => true, 'max_hold' => 0.6, 'on_lost' => 'flag']));
var_dump($lock->acquire(10), comes_true(fn () => !$lock->isHeld()));
expect_between('PTTL', $redis('PTTL', 'max_hold_after_wait'), 20000, 30000);
--EXPECT--
bool(true)
bool(true)
PTTL: ok
