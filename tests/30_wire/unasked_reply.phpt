--TEST--
Bytes nobody asked for make a kept connection unfit
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
$server = new FakeServer(<<<'SCRIPT'
	EXPECT SET unasked_reply * NX PX 60000
	SENDRAW +OK\r\n:1\r\n
	EXPECT-CLOSE
	EXPECT EVALSHA * 1 unasked_reply * 60000
	SEND :0
	EXPECT-CLOSE
	SCRIPT);
$lock = new RedisLock($server->options(['name' => 'unasked_reply']));
var_dump($lock->acquire(), $lock->keepAlive());
unset($lock);
echo $server->verdict();
?>
--EXPECT--
bool(true)
bool(false)
played
