--TEST--
RedisLock::restore(): holds nothing until keepAlive() or isAcquired() confirmed it
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
class Sub extends RedisLock
{
	public function __construct()
	{
		throw new Exception('restore() does not construct');
	}
}
$redis('SET', 'restore', 'a token', 'PX', '60000');
$lock = Sub::restore($server->options(['ttl' => 5, 'name' => 'ignored']), 'restore', 'a token');
step('not held before it is confirmed', get_class($lock), $lock->getName(), $lock->isHeld(), $lock->remaining(), $lock->getToken());
step('confirmed', $lock->isAcquired(), $lock->isHeld());
expect_between('remaining', $lock->remaining(), 30, 60);
step('extended', $lock->keepAlive());
expect_between('PTTL', $redis('PTTL', 'restore'), 1, 5000);

/* Options in the second place, as in the constructor. Its name is the one given. */
$lock = RedisLock::restore($server->options(['ttl' => 5]), 'restore', 'a token', ['ttl' => 50, 'name' => 'ignored']);
step('options', $lock->getName(), $lock->keepAlive());
expect_between('PTTL', $redis('PTTL', 'restore'), 20000, 50000);

/* Released without being confirmed before, as a queue worker does. */
$lock = RedisLock::restore("unix:$server->socket", 'restore', 'a token');
step('released unconfirmed', $lock->release(), $redis('EXISTS', 'restore'), $lock->getToken());

/* Somebody else's, and nobody's. */
$redis('SET', 'restore', 'another');
foreach (['isAcquired', 'keepAlive', 'release'] as $method) {
	$lock = RedisLock::restore($server->options(), 'restore', 'a token');
	step('not ours', $lock->$method(), $lock->isHeld(), $lock->getToken());
}
step('left alone, freed by force', $redis('GET', 'restore'), $lock->forceRelease());
/* It is an object like any other: after the loss it can acquire for itself. */
step('acquired anew', $lock->acquire(), $lock->getToken() === 'a token');
?>
--EXPECT--
not held before it is confirmed: 'Sub', 'restore', false, 0.0, 'a token'
confirmed: true, true
remaining: ok
extended: true
PTTL: ok
options: 'restore', true
PTTL: ok
released unconfirmed: true, 0, NULL
not ours: false, false, NULL
not ours: false, false, NULL
not ours: false, false, NULL
left alone, freed by force: 'another', true
acquired anew: true, false
