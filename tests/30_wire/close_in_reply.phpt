--TEST--
A connection that breaks before the answer: released, never a second SET for it, and never believed
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
foreach (['', '+O'] as $half) {
	$server = new FakeServer(strtr(<<<'SCRIPT'
		EXPECT SET close_in_reply * NX PX 60000
		HALF
		CLOSE
		EXPECT EVAL * 3 close_in_reply {close_in_reply}:rlk:waiters {close_in_reply}:rlk:signal *
		SEND :0
		EXPECT SET close_in_reply * NX PX 60000
		SEND +OK
		EXPECT-CLOSE
		SCRIPT, ['HALF' => "SENDRAW $half"]));
	$lock = new RedisLock($server->options(['name' => 'close_in_reply', 'retries' => 5]));
	echo preg_replace('/ \(unix.*/', '', outcome(fn () => $lock->acquire())), "\n";
	var_dump($lock->isHeld(), $lock->acquire());
	unset($lock);
	echo $server->verdict();
}
?>
--EXPECT--
RedisLock\ConnectionException: lock "close_in_reply": the server closed the connection
bool(false)
bool(true)
played
RedisLock\ConnectionException: lock "close_in_reply": the server closed the connection
bool(false)
bool(true)
played
