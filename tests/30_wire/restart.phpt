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
$_ = $lock->acquire();
$lock->release();
restart($server);
step('not noticed between two locks', $lock->acquire());

/* A server that forgot: the lock is lost, and the object ready for the next. */
restart($server);
step('forgotten', $lock->isHeld(), $lock->keepAlive(), $lock->isHeld());
step('acquired again', $lock->acquire());
restart($server);
step('forgotten, and released', $lock->release(), $lock->acquire());
restart($server);
step('forgotten, and asked for', $lock->isAcquired(), $lock->holder(), $lock->forceRelease());

/* Down: an exception, and the lease may be released later, when it is up again with its data. */
$_ = $lock->acquire();
$token = $lock->getToken();
$server->kill();
foreach (['keepAlive', 'release', 'isAcquired'] as $method) {
	echo preg_replace('/: [A-Z][a-z ]+ \(.*/', '', outcome(fn () => $lock->$method())), "\n";
}
step('still held while it is down', $lock->isHeld());
$server->start();
$server->client()('SET', 'restart', $token, 'PX', '60000');
step('extended and released when it is up', $lock->keepAlive(), $lock->release(), $server->client()('DBSIZE'));
?>
--EXPECT--
not noticed between two locks: true
forgotten: true, false, false
acquired again: true
forgotten, and released: false, true
forgotten, and asked for: false, NULL, false
RedisLock\ConnectionException: lock "restart": cannot connect
RedisLock\ConnectionException: lock "restart": cannot connect
RedisLock\ConnectionException: lock "restart": cannot connect
still held while it is down: true
extended and released when it is up: true, true, 0
