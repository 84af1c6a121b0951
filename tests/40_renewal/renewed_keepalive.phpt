--TEST--
RedisLock::keepAlive(): on a process-bound lock sets the ttl of later renewals
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$lock = new RedisLock($s->options(['name' => 'renewed_keepalive', 'ttl' => 30, 'renew' => true]));
$pttl = fn () => $redis('PTTL', 'renewed_keepalive');
$_ = $lock->acquire();

/* Longer: no renewal may shorten it. */
var_dump($lock->keepAlive(60));
expect_between('longer', $pttl(), 50000, 60000);
expect_between('remaining()', $lock->remaining(), 50, 60);

/* Shorter than the interval configured: renewed in time all the same. */
var_dump($lock->keepAlive(5));
expect_between('shorter', $pttl(), 1, 5000);
var_dump(is_renewed($redis, 'renewed_keepalive', 5) && $lock->isHeld());
expect_between('renewed to at most', $pttl(), 1, 5000);

/* Longer again, by the ttl last given, and then as a renewal. */
var_dump($lock->keepAlive(), $pttl() <= 5000, $lock->keepAlive(20), $lock->keepAlive());
expect_between('the last one again', $pttl(), 15000, 20000);
var_dump((string) $lock, $lock->release(), $lock->keepAlive());
--EXPECT--
bool(true)
longer: ok
remaining(): ok
bool(true)
shorter: ok
bool(true)
renewed to at most: ok
bool(true)
bool(true)
bool(true)
bool(true)
the last one again: ok
string(21) "renewed_keepalive[20]"
bool(true)
bool(false)
