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

$end = now() + 3;
$refused = true;
while (now() < $end) {
	$refused = $refused && !$other->acquire() && $lock->isHeld() && $lock->remaining() > 0;
	usleep(5000); /* between two looks */
}
var_dump($refused, $lock->isAcquired(), $lock->release(), $lock->isHeld(), $lock->release(), $other->acquire());
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(false)
bool(false)
bool(true)
