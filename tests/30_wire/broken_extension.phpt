--TEST--
A shorter extension whose connection broke each time it was sent may still be under way: no more is relied upon from then on
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
$try = fn (callable $ask) => print preg_replace('/ \(unix.*/', '', outcome($ask)) . "\n";
foreach (['keepAlive' => [30], 'isAcquired' => []] as $method => $arguments) {
	$script = strtr(<<<'SCRIPT'
		EXPECT EVALSHA * 1 broken * 5000
		CLOSE
		EXPECT EVALSHA * 1 broken * 5000
		CLOSE
		EXPECT EVALSHA * 1 broken ...
		SEND :ours
		SCRIPT, ['ours' => $method === 'keepAlive' ? '1' : '30000']);
	$server = new FakeServer("EXPECT SET broken * NX PX 30000\nSEND +OK\n$script");
	$options = ['ttl' => 30, 'read_timeout' => 1.5];
	$lock = new RedisLock($server->options(['name' => 'broken'] + $options));
	var_dump($lock->acquire());
	$try(fn () => $lock->keepAlive(5));
	$try(fn () => $lock->$method(...$arguments));
	var_dump($lock->remaining() <= 5);

	/* One that is restored does not know what it shortens. */
	$server = new FakeServer($script);
	$lock = RedisLock::restore($server->options($options), 'broken', 'a token of another process');
	$try(fn () => $lock->keepAlive(5));
	$try(fn () => $lock->$method(...$arguments));
	var_dump($lock->remaining() <= 5);
}
?>
--EXPECT--
bool(true)
RedisLock\ConnectionException: lock "broken": the server closed the connection
true
bool(true)
RedisLock\ConnectionException: lock "broken": the server closed the connection
true
bool(true)
bool(true)
RedisLock\ConnectionException: lock "broken": the server closed the connection
true
bool(true)
RedisLock\ConnectionException: lock "broken": the server closed the connection
true
bool(true)
