--TEST--
A shorter extension whose connection broke each time it was sent may still be under way: nothing is confirmed meanwhile
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
foreach (['keepAlive' => [30], 'isAcquired' => []] as $method => $arguments) {
	$server = new FakeServer(strtr(<<<'SCRIPT'
		EXPECT SET broken * NX PX 30000
		SEND +OK
		EXPECT EVALSHA * 1 broken * 5000
		CLOSE
		EXPECT EVALSHA * 1 broken * 5000
		CLOSE
		EXPECT EVALSHA * 1 broken ...
		SEND :ours
		SCRIPT, ['ours' => $method === 'keepAlive' ? '1' : '30000']));
	$lock = new RedisLock($server->options(['name' => 'broken', 'ttl' => 30, 'read_timeout' => 1.5]));
	var_dump($lock->acquire());
	foreach ([fn () => $lock->keepAlive(5), fn () => $lock->$method(...$arguments)] as $ask) {
		echo preg_replace('/ \(unix.*/', '', outcome($ask)), "\n";
	}
}
?>
--EXPECT--
bool(true)
RedisLock\ConnectionException: lock "broken": the server closed the connection
RedisLock\ConnectionException: lock "broken": an earlier request about this lock may still be under way, and would end it too soon
bool(true)
RedisLock\ConnectionException: lock "broken": the server closed the connection
RedisLock\ConnectionException: lock "broken": an earlier request about this lock may still be under way, and would end it too soon
