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
var_dump(get_class($lock), $lock->getName(), $lock->isHeld(), $lock->remaining(), $lock->getToken());
var_dump($lock->isAcquired(), $lock->isHeld());
expect_between('remaining', $lock->remaining(), 30, 60);
var_dump($lock->keepAlive());
expect_between('PTTL', $redis('PTTL', 'restore'), 1, 5000);

/* Released without being confirmed before, as a queue worker does. */
$lock = RedisLock::restore("unix:$server->socket", 'restore', 'a token');
var_dump($lock->release(), $redis('EXISTS', 'restore'), $lock->getToken());

/* Somebody else's, and nobody's. */
$redis('SET', 'restore', 'another');
foreach (['isAcquired', 'keepAlive', 'release'] as $method) {
	$lock = RedisLock::restore($server->options(), 'restore', 'a token');
	var_dump($lock->$method(), $lock->isHeld(), $lock->getToken());
}
var_dump($redis('GET', 'restore'), $lock->forceRelease());
/* It is an object like any other: after the loss it can acquire for itself. */
var_dump($lock->acquire(), $lock->getToken() === 'a token');
?>
--EXPECT--
string(3) "Sub"
string(7) "restore"
bool(false)
float(0)
string(7) "a token"
bool(true)
bool(true)
remaining: ok
bool(true)
PTTL: ok
bool(true)
int(0)
NULL
bool(false)
bool(false)
NULL
bool(false)
bool(false)
NULL
bool(false)
bool(false)
NULL
string(7) "another"
bool(true)
bool(true)
bool(false)
