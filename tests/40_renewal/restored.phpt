--TEST--
RedisLock::restore(): made process-bound by isAcquired() with little of its ttl left, it is renewed in time
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$redis('SET', 'restored', 'a token', 'PX', 2000);
$lock = RedisLock::restore($s->options(['ttl' => 30, 'renew' => true]), 'restored', 'a token');
var_dump($lock->isAcquired());
expect_between('as found', $lock->remaining(), 0.5, 2);
var_dump(wait_until(fn () => $redis('PTTL', 'restored') > 20000, 2), wait_until(fn () => $lock->remaining() > 20), $lock->release());
--EXPECT--
bool(true)
as found: ok
bool(true)
bool(true)
bool(true)
