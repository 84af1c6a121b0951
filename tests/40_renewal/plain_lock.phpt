--TEST--
RedisLock: renew => true keeps the lock beyond its ttl until it is released
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$lock = new RedisLock($s->options(['name' => 'plain_lock', 'ttl' => 2.5, 'interval' => 0.1, 'renew' => true]));
$other = new RedisLock($s->options(['name' => 'plain_lock']));
var_dump($lock->acquire());

$refused = stays_true(fn () => !$other->acquire() && $lock->isHeld() && $lock->remaining() > 0, 3);
var_dump($refused, $lock->isAcquired(), $lock->release(), $lock->isHeld(), $lock->release(), $other->acquire());
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(false)
bool(false)
bool(true)
