--TEST--
min_replicas: a waiter whose lock is freed by force while it waits for the replicas goes on waiting
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
$line_up = 'EXPECT EVALSHA * 6 replicas_freed {replicas_freed}:rlk:waiters ...';
$secure = "EXPECT EVAL * 1 replicas_freed * 60000\nEXPECT WAIT 1 *";
$server = new FakeServer("
	EXPECT SET replicas_freed * NX PX 60000
	SEND $-1
	$line_up
	SEND *4\\r\\n:0\\r\\n:50000\\r\\n:1\\r\\n:0
	EXPECT BLPOP ...
	EXPECT SET replicas_freed * NX PX 2000
	SEND *2\\r\\n$1\\r\\ns\\r\\n$1\\r\\n1
	SEND +OK
	$secure
	SEND :0\\r\\n:1
	$line_up
	SEND *4\\r\\n:1\\r\\n:0\\r\\n:0\\r\\n:0
	$secure
	SEND :1\\r\\n:1
	WAIT");
$lock = new RedisLock($server->options(['name' => 'replicas_freed', 'min_replicas' => 1]));
echo outcome(fn () => $lock->acquire(60)), "\n";
var_dump($lock->remaining() > 30);
$server->tell();
echo $server->verdict();
?>
--EXPECT--
true
bool(true)
played
