--TEST--
A lease that expired is over: nothing is held, and it can be acquired anew
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$lock = new RedisLock($server->options(['name' => 'expiry', 'ttl' => 0.05]));
var_dump($lock->acquire());
$old = $lock->getToken();
wait_until(fn () => $redis('EXISTS', 'expiry') === 0);
var_dump($lock->isHeld(), $lock->remaining(), $lock->getToken(), $lock->getFence(), $lock->isAcquired());
var_dump($lock->keepAlive(), $lock->release());

/* Anew without a release in between, with another token. */
$lock->lock('expiry', RedisLock::NONBLOCKED, ['ttl' => 0.05]);
wait_until(fn () => !$lock->isHeld());
var_dump($lock->acquire(0.5), $lock->getToken() !== $old);

/* Taken by somebody else meanwhile: theirs is left alone. */
wait_until(fn () => $redis('SET', 'expiry', 'other', 'NX', 'PX', '60000') === 'OK');
var_dump($lock->isHeld(), $lock->keepAlive(), $lock->release(), $lock->acquire(), $redis('GET', 'expiry'));
?>
--EXPECT--
bool(true)
bool(false)
float(0)
NULL
NULL
bool(false)
bool(false)
bool(false)
bool(true)
bool(true)
bool(false)
bool(false)
bool(false)
bool(false)
string(5) "other"
