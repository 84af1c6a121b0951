--TEST--
RedisLock::isHeld(): validity ends before the server's ttl, by 1 % and 2 ms
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
require_once __DIR__ . '/../inc/timing.inc';
$server = new Server();
$redis = $server->client();
$lock = new RedisLock($server->options(['name' => 'validity', 'ttl' => 10]));
$before = now();
$_ = $lock->acquire();
$remaining = $lock->remaining();
$took = now() - $before;
$began = now();
$difference = $redis('PTTL', 'validity') / 1000 - $lock->remaining();
$between = now() - $began;
/* The validity counts from before the command, the ttl from its arrival. */
expect_between('remaining', $remaining, 9.898 - $took - 0.002, 9.898);
expect_between('difference', $difference, 0.102 - 0.002, 0.102 + $took + $between + 0.002);

$_ = $lock->keepAlive(0.3);
$end = now() + $lock->remaining();
wait_until(fn () => !$lock->isHeld());
expect_taken('over', $end, -0.005, 5);
?>
--EXPECT--
remaining: ok
difference: ok
over: ok
