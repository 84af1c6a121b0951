--TEST--
RedisLock\LockLostException: a server that forgot the lock is told apart from one that was away
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$lock = new RedisLock($s->options(['name' => 'server_restarted', 'ttl' => 30, 'interval' => 0.1, 'renew' => true]));
$lock->acquire();
$s->kill();
$end = now() + 0.3;
while (now() < $end);
var_dump($lock->isHeld());
try {
	$s->start(); /* the loss may be told before it has returned */
	for (;;);
} catch (RedisLock\LockLostException $e) {
	echo $e->getMessage(), "\n";
}
var_dump($s->client()('EXISTS', 'server_restarted'));
--EXPECT--
bool(true)
lock "server_restarted" was lost: its key was deleted or has another owner
int(0)
