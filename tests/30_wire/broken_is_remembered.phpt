--TEST--
A release with a token of the caller whose connection broke each time it was sent: the token is spent
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
$server = new FakeServer(<<<'SCRIPT'
	EXPECT SET broken mine NX PX 30000
	SEND +OK
	EXPECT EVALSHA * 3 broken {broken}:rlk:waiters {broken}:rlk:signal mine
	CLOSE
	EXPECT EVALSHA * 3 broken {broken}:rlk:waiters {broken}:rlk:signal mine
	CLOSE
	SCRIPT);
$lock = new RedisLock($server->options(['name' => 'broken', 'token' => 'mine', 'ttl' => 30, 'read_timeout' => 1.5]));
foreach (['acquire', 'release', 'acquire'] as $method) {
	echo preg_replace(['/ \(unix.*/', '/for \d+ ms/'], ['', 'for N ms'], outcome(fn () => $lock->$method())), "\n";
}
?>
--EXPECT--
true
RedisLock\ConnectionException: lock "broken": the server closed the connection
RedisLock\ConnectionException: lock "broken": the token is spent for N ms: a request with it was not answered, and may still be executed
