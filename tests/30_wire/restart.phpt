--TEST--
A server killed and started again between two commands on a kept connection
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
$server = new Server();
$lock = new RedisLock($server->options(['name' => 'restart']));
function restart(Server $server): void
{
	$server->kill();
	$server->start();
}
/* Between release and acquire: nobody notices. */
$lock->acquire();
$lock->release();
restart($server);
var_dump($lock->acquire());

/* A server that forgot: the lock is lost, and the object ready for the next. */
restart($server);
var_dump($lock->isHeld(), $lock->keepAlive(), $lock->isHeld());
var_dump($lock->acquire());
restart($server);
var_dump($lock->release(), $lock->acquire());
restart($server);
var_dump($lock->isAcquired(), $lock->holder(), $lock->forceRelease());

/* Down: an exception, and the lease may be released later, when it is up again with its data. */
$lock->acquire();
$token = $lock->getToken();
$server->kill();
foreach (['keepAlive', 'release', 'isAcquired'] as $method) {
	echo preg_replace('/: [A-Z][a-z ]+ \(.*/', '', outcome(fn () => $lock->$method())), "\n";
}
var_dump($lock->isHeld());
$server->start();
$server->client()('SET', 'restart', $token, 'PX', '60000');
var_dump($lock->keepAlive(), $lock->release(), $server->client()('DBSIZE'));
?>
--EXPECT--
bool(true)
bool(true)
bool(false)
bool(false)
bool(true)
bool(false)
bool(true)
bool(false)
NULL
bool(false)
RedisLock\ConnectionException: lock "restart": cannot connect
RedisLock\ConnectionException: lock "restart": cannot connect
RedisLock\ConnectionException: lock "restart": cannot connect
bool(true)
bool(true)
bool(true)
int(0)
