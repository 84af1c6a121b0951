--TEST--
Replies in pieces are put together
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
$server = new FakeServer(<<<'SCRIPT'
	EXPECT SET pieces * NX PX 60000
	SENDRAW +
	DELAY 5
	SENDRAW O
	DELAY 5
	SENDRAW K\r
	DELAY 5
	SENDRAW \n
	EXPECT EVALSHA * 2 pieces {pieces}:rlk:waiters
	SENDRAW *3\r\n$7\r\nfor
	DELAY 5
	SENDRAW eign\r\n:12
	DELAY 5
	SENDRAW 34\r\n:1\r\n
	EXPECT-CLOSE
	SCRIPT);
$lock = new RedisLock($server->options(['name' => 'pieces']));
var_dump($lock->acquire());
echo json_encode($lock->holder()), "\n";
unset($lock);
echo $server->verdict();
?>
--EXPECT--
bool(true)
{"token":"foreign","host":null,"pid":null,"label":null,"ttl":1.234,"waited":true,"resting":false}
played
