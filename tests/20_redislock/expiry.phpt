--TEST--
A lease that expired is over: nothing is held, and it can be acquired anew
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$lock = new RedisLock($server->options(['name' => 'expiry', 'ttl' => 0.5]));
step('acquired', $lock->acquire());
$old = $lock->getToken();
wait_until(fn () => $redis('EXISTS', 'expiry') === 0);
step('over: nothing is held', $lock->isHeld(), $lock->remaining(), $lock->getToken(), $lock->getFence(), $lock->isAcquired());
step('neither extended nor released', $lock->keepAlive(), $lock->release());

/* Anew without a release in between, with another token. */
$lock->lock('expiry', RedisLock::NONBLOCKED, ['ttl' => 0.5]);
wait_until(fn () => !$lock->isHeld());
step('anew, with another token', $lock->acquire(10), $lock->getToken() !== $old);

/* Taken by somebody else meanwhile: theirs is left alone. */
wait_until(fn () => $redis('SET', 'expiry', 'other', 'NX', 'PX', '60000') === 'OK');
step('taken by somebody else', $lock->isHeld(), $lock->keepAlive(), $lock->release(), $lock->acquire(), $redis('GET', 'expiry'));
?>
--EXPECT--
acquired: true
over: nothing is held: false, 0.0, NULL, NULL, false
neither extended nor released: false, false
anew, with another token: true, true
taken by somebody else: false, false, false, false, 'other'
