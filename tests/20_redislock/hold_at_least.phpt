--TEST--
hold_at_least: a release before its end leaves the lock at rest until then
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$lock = new RedisLock($server->options(['name' => 'hold_at_least', 'ttl' => 60, 'hold_at_least' => 0.5,
	'label' => 'nightly']));
$next = new RedisLock($server->options(['name' => 'hold_at_least', 'retry_ms' => 10]));
$start = now();
$_ = $lock->acquire();
$token = $lock->getToken();
var_dump($lock->release(), $lock->isHeld(), $lock->getToken());
$holder = $next->holder();
var_dump($holder['resting'], $holder['label'], $holder['pid'] === getmypid(), $holder['token'] !== $token,
	str_ends_with($holder['token'], ':done'));
expect_between('rest', $holder['ttl'], 0, 0.5);

/* Nobody holds it any more, and nobody can take it yet. */
var_dump($lock->isAcquired(), $lock->keepAlive(), $lock->release(), $lock->acquire(), $next->acquire());
var_dump($next->acquire(20));
expect_between('next', now() - $start, 0.499, 10);
$next->release();

/* It may be longer than the ttl; and after its end a release is a plain one. */
$lock = new RedisLock($server->options(['name' => 'hold_at_least', 'ttl' => 5, 'hold_at_least' => 60]));
$_ = $lock->acquire();
$lock->release();
expect_between('PTTL', $redis('PTTL', 'hold_at_least'), 50000, 60000);
$redis('DEL', 'hold_at_least');
$lock->lock('hold_at_least', RedisLock::NONBLOCKED, ['hold_at_least' => 0.01]);
pause(0.02, 'that time is over');
var_dump($lock->release(), $redis('EXISTS', 'hold_at_least'));
?>
--EXPECT--
bool(true)
bool(false)
NULL
bool(true)
string(7) "nightly"
bool(true)
bool(true)
bool(true)
rest: ok
bool(false)
bool(false)
bool(false)
bool(false)
bool(false)
bool(true)
next: ok
PTTL: ok
bool(true)
int(0)
