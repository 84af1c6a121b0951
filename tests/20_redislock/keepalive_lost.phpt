--TEST--
RedisLock::keepAlive(): refuses a lost lock
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$lock = new RedisLock($server->options(['name' => 'keepalive_lost']));
step('never had', $lock->keepAlive(), $lock->keepAlive(5), $lock->keepAlive(0));

/* Deleted: never taken again silently. */
$_ = $lock->acquire();
$redis('DEL', 'keepalive_lost');
step('deleted', $lock->isHeld(), $lock->keepAlive(), $redis('EXISTS', 'keepalive_lost'), $lock->isHeld(), $lock->getToken());

/* Taken over: the other's ttl stays as it is. */
$_ = $lock->acquire();
$redis('SET', 'keepalive_lost', 'other', 'PX', '5000');
step('taken over', $lock->keepAlive(60), $lock->isHeld(), $lock->keepAlive());
expect_between('PTTL', $redis('PTTL', 'keepalive_lost'), 1, 5000);
$redis('DEL', 'keepalive_lost');
step('acquired again', $lock->acquire());
?>
--EXPECT--
never had: false, false, false
deleted: true, false, 0, false, NULL
taken over: false, false, false
PTTL: ok
acquired again: true
