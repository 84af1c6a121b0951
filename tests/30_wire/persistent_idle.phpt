--TEST--
A kept connection that was idle for longer than the ttl: the next lock's time begins with its own request
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$s = new Server;
$options = $s->options(['name' => 'persistent_idle', 'persistent' => true, 'ttl' => 1.5, 'read_timeout' => 1]);

$lock = new RedisLock($options);
var_dump($lock->acquire(), $lock->release());
$lock = null;
$redis = $s->client();
/* In whole seconds, the first of which may have been short. */
wait_until(fn () => preg_match('/ idle=[3-9] /', $redis('CLIENT', 'LIST')));
/* The same connection, and neither its limit nor the ttl is over. */
$lock = new RedisLock($options);
var_dump($lock->acquire());
expect_between('remaining', $lock->remaining(), 0.5, 1.5);
var_dump($lock->release());
preg_match('/^total_connections_received:(\d+)/m', $redis('INFO', 'stats'), $match);
/* One of ours, one that saw the server start, one that asks. */
var_dump((int) $match[1]);
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
remaining: ok
bool(true)
int(3)
