--TEST--
What was sent behind the answer to a release, for the sake of those who wait, and broke off: it does not have the caller's token, which is free to use
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
	SEND :1
	EXPECT COMMAND LIST FILTERBY PATTERN del*
	SENDRAW *1\r\n$5\r\ndelex\r\n
	EXPECT SET broken mine NX PX 30000
	SEND +OK
	EXPECT DELEX broken IFEQ mine
	EXPECT EXISTS {broken}:rlk:waiters
	SENDRAW :1\r\n:1\r\n
	EXPECT EVAL * 3 broken {broken}:rlk:waiters {broken}:rlk:signal
	CLOSE
	SAY broken
	EXPECT SET broken mine NX PX 30000
	SEND +OK
	SCRIPT);
$lock = new RedisLock($server->options(['name' => 'broken', 'token' => 'mine', 'ttl' => 30, 'read_timeout' => 1.5]));
foreach (['acquire', 'release', 'acquire', 'release'] as $method) {
	var_dump($lock->$method());
}
$server->await('broken');
pause(0.005, 'what was just in use is not looked at');
echo preg_replace('/ \(unix.*/', '', outcome(fn () => $lock->acquire())), "\n";
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
true
