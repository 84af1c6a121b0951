--TEST--
RedisLock\LockLostException: a server that stays away costs the lock when its validity is over
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
require_once __DIR__ . '/../inc/timing.inc';

$s = new Server;
$lock = new RedisLock($s->options(['name' => 'server_away', 'ttl' => 2, 'renew' => true]));
$start = now();
$_ = $lock->acquire();
$s->kill();
try {
	for (;;);
} catch (RedisLock\LockLostException $e) {
	echo $e->getMessage(), "\n";
	expect_taken('after', $start, 1.9, 4);
}

/* A short silence is survived. */
$s->start();
var_dump($lock->acquire(), $lock->keepAlive(3));
$s->freeze();
var_dump(stays_true(fn () => $lock->isHeld(), 0.5));
$s->thaw();
var_dump(stays_true(fn () => $lock->isHeld(), 3.5), $lock->release());
--EXPECT--
lock "server_away" was lost: it could not be renewed in time
after: ok
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
