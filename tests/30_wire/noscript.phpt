--TEST--
A server that does not know a script gets its text
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
$server = new FakeServer(<<<'SCRIPT'
	EXPECT SET noscript * NX PX 60000
	SEND +OK
	EXPECT EVALSHA * 1 noscript * 60000
	SEND -NOSCRIPT No matching script. Please use EVAL.
	EXPECT EVAL * 1 noscript * 60000
	SEND :1
	EXPECT EVALSHA * 3 noscript {noscript}:rlk:waiters {noscript}:rlk:signal *
	SEND -NOSCRIPT
	EXPECT EVAL * 3 noscript {noscript}:rlk:waiters {noscript}:rlk:signal *
	SEND :1
	EXPECT-CLOSE
	SCRIPT);
$lock = new RedisLock($server->options(['name' => 'noscript']));
var_dump($lock->acquire(), $lock->keepAlive(), $lock->release());
unset($lock);
echo $server->verdict();
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
played
