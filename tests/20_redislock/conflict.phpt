--TEST--
RedisLock::acquire(): false at once while somebody else has it
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$a = new RedisLock($server->options(['name' => 'conflict']));
$b = new RedisLock($server->options(['name' => 'conflict']));
step('the second one is refused', $a->acquire(), $b->acquire(), $b->acquire(0));
step('it has nothing', $b->isHeld(), $b->isAcquired(), $b->getToken(), $b->keepAlive(), $b->release());
step('free after the release', $a->isAcquired(), $a->release(), $b->acquire(), $a->acquire());
?>
--EXPECT--
the second one is refused: true, false, false
it has nothing: false, false, NULL, false, false
free after the release: true, true, true, false
