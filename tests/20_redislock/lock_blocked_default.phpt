--TEST--
RedisLock::lock(): BLOCKED waits 10 s when nothing says otherwise
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$redis('SET', 'lock_blocked_default', 'other');
$lock = new RedisLock($server->options(['wait' => 0, 'retry_ms' => 1000]));
$start = now();
var_dump($lock->lock('lock_blocked_default', RedisLock::BLOCKED));
expect_between('waited', now() - $start, 9.999, 14);
?>
--EXPECT--
bool(false)
waited: ok
