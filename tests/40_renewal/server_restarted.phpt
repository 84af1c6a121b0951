--TEST--
RedisLock\LockLostException: a server that forgot the lock is told apart from one that was away
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$lock = new RedisLock($s->options(['name' => 'server_restarted', 'ttl' => 30, 'interval' => 0.1, 'renew' => true]));
$_ = $lock->acquire();
$s->kill();
var_dump(stays_true(fn () => $lock->isHeld(), 0.3));
try {
	/* The loss may come before it has returned, but is not told in a fiber that does not hold the lock. */
	(new Fiber($s->start(...)))->start();
	for (;;);
} catch (RedisLock\LockLostException $e) {
	echo $e->getMessage(), "\n";
}
var_dump($s->client()('EXISTS', 'server_restarted'));
--EXPECT--
bool(true)
lock "server_restarted" was lost: its key was deleted or has another owner
int(0)
