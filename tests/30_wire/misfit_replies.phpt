--TEST--
Scripts answered with something that does not fit are not believed
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
foreach (['keepAlive', 'isAcquired', 'release', 'holder', 'forceRelease'] as $method) {
	foreach (['+OK', '$1\r\n1', '*2\r\n:1\r\n:2', '*3\r\n:1\r\n:2\r\n:3', '-BUSY running a script'] as $reply) {
		$server = new FakeServer("EXPECT SET misfit_replies * NX PX 60000\nSEND +OK\nEXPECT ...\nSEND $reply\nSILENCE");
		$lock = new RedisLock($server->options(['name' => 'misfit_replies']));
		$_ = $lock->acquire();
		echo $method, ' ', $reply, ': ', preg_replace('/ \(unix.*/', '', outcome(fn () => $lock->$method())), "\n";
		unset($lock);
	}
}

/* The same of three servers at once; two are enough to know. */
$script = "EXPECT SET misfit_replies * NX PX 60000\nSEND +OK\nEXPECT ...\nSEND +OK\nSILENCE";
$servers = array_map(fn () => new FakeServer($script), range(1, 3));
$lock = new RedisLock(['servers' => array_map(fn ($server) => $server->options(['timeout' => 5, 'read_timeout' => 5]), $servers), 'name' => 'misfit_replies']);
$_ = $lock->acquire();
echo preg_replace('/ \(unix.*/', '', str_replace(' 2 of 3', ' 3 of 3', outcome(fn () => $lock->keepAlive()))), "\n";
?>
--EXPECT--
keepAlive +OK: RedisLock\ConnectionException: lock "misfit_replies": the server sent a reply that does not fit the request
keepAlive $1\r\n1: RedisLock\ConnectionException: lock "misfit_replies": the server sent a reply that does not fit the request
keepAlive *2\r\n:1\r\n:2: RedisLock\ConnectionException: lock "misfit_replies": the server sent a reply that does not fit the request
keepAlive *3\r\n:1\r\n:2\r\n:3: RedisLock\ConnectionException: lock "misfit_replies": the server sent a reply that does not fit the request
keepAlive -BUSY running a script: RedisLock\ConnectionException: lock "misfit_replies": the server answered: BUSY running a script
isAcquired +OK: RedisLock\ConnectionException: lock "misfit_replies": the server sent a reply that does not fit the request
isAcquired $1\r\n1: RedisLock\ConnectionException: lock "misfit_replies": the server sent a reply that does not fit the request
isAcquired *2\r\n:1\r\n:2: RedisLock\ConnectionException: lock "misfit_replies": the server sent a reply that does not fit the request
isAcquired *3\r\n:1\r\n:2\r\n:3: RedisLock\ConnectionException: lock "misfit_replies": the server sent a reply that does not fit the request
isAcquired -BUSY running a script: RedisLock\ConnectionException: lock "misfit_replies": the server answered: BUSY running a script
release +OK: RedisLock\ConnectionException: lock "misfit_replies": the server sent a reply that does not fit the request
release $1\r\n1: RedisLock\ConnectionException: lock "misfit_replies": the server sent a reply that does not fit the request
release *2\r\n:1\r\n:2: RedisLock\ConnectionException: lock "misfit_replies": the server sent a reply that does not fit the request
release *3\r\n:1\r\n:2\r\n:3: RedisLock\ConnectionException: lock "misfit_replies": the server sent a reply that does not fit the request
release -BUSY running a script: RedisLock\ConnectionException: lock "misfit_replies": the server answered: BUSY running a script
holder +OK: RedisLock\ConnectionException: lock "misfit_replies": the server sent a reply that does not fit the request
holder $1\r\n1: RedisLock\ConnectionException: lock "misfit_replies": the server sent a reply that does not fit the request
holder *2\r\n:1\r\n:2: RedisLock\ConnectionException: lock "misfit_replies": the server sent a reply that does not fit the request
holder *3\r\n:1\r\n:2\r\n:3: RedisLock\ConnectionException: lock "misfit_replies": the server sent a reply that does not fit the request
holder -BUSY running a script: RedisLock\ConnectionException: lock "misfit_replies": the server answered: BUSY running a script
forceRelease +OK: RedisLock\ConnectionException: lock "misfit_replies": the server sent a reply that does not fit the request
forceRelease $1\r\n1: RedisLock\ConnectionException: lock "misfit_replies": the server sent a reply that does not fit the request
forceRelease *2\r\n:1\r\n:2: RedisLock\ConnectionException: lock "misfit_replies": the server sent a reply that does not fit the request
forceRelease *3\r\n:1\r\n:2\r\n:3: RedisLock\ConnectionException: lock "misfit_replies": the server sent a reply that does not fit the request
forceRelease -BUSY running a script: RedisLock\ConnectionException: lock "misfit_replies": the server answered: BUSY running a script
RedisLock\ConnectionException: lock "misfit_replies": no majority of the servers, 3 of 3 failed: the server sent a reply that does not fit the request
