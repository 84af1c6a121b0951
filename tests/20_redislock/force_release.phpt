--TEST--
RedisLock::forceRelease(): deletes it, whoever holds it
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$operator = new RedisLock($server->options(['name' => 'force_release']));
step('of nobody', $operator->forceRelease());
$lock = new RedisLock($server->options(['name' => 'force_release']));
$_ = $lock->acquire();
step('of somebody else', $operator->forceRelease(), $redis('EXISTS', 'force_release'));
step('he has lost it, and takes it again', $lock->isAcquired(), $lock->isHeld(), $lock->release(), $lock->acquire());

/* Its own. */
step('of its own', $lock->forceRelease(), $lock->isAcquired(), $lock->isHeld(), $lock->acquire());
?>
--EXPECT--
of nobody: false
of somebody else: true, 0
he has lost it, and takes it again: false, false, false, true
of its own: true, false, false, true
