--TEST--
RedisLock::upgrade(): who does not share the lock any more waits no longer for others to leave, and lets others in
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
$server = new Server();
$lock = fn (float $ttl) => new RedisLock($server->options(['name' => 'upgrade_lost', 'shared' => true, 'ttl' => $ttl]));
[$stays, $ends, $later] = [$lock(600), $lock(2), $lock(600)];
var_dump($stays->acquire(), $ends->acquire());
$start = now();
var_dump($ends->upgrade(300));
expect_between('told after', now() - $start, 0, 150);
var_dump($ends->isHeld(), $later->acquire(300));
expect_between('shared after', now() - $start, 0, 290);
?>
--EXPECT--
bool(true)
bool(true)
bool(false)
told after: ok
bool(false)
bool(true)
shared after: ok
