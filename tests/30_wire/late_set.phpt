--TEST--
A SET without an answer in time is followed by its release, on the same connection
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
foreach (['', '+O', "-ERR not complete\r"] as $half) {
	$server = new FakeServer(strtr(<<<'SCRIPT'
		EXPECT SET late_set * NX PX 60000
		HALF
		SAY read
		EXPECT EVAL * 3 late_set {late_set}:rlk:waiters {late_set}:rlk:signal *
		SAY released
		EXPECT-CLOSE
		EXPECT SET late_set * NX PX 60000
		SEND +OK
		EXPECT-CLOSE
		SCRIPT, ['HALF' => 'SENDRAW ' . addcslashes($half, "\r")]));
	$lock = new RedisLock($server->options(['name' => 'late_set', 'read_timeout' => 1.5]));
	echo preg_replace('/ \(unix.*/', '', outcome(fn () => $lock->acquire())), "\n";
	$server->await('read');
	$server->await('released');
	var_dump($lock->isHeld(), $lock->release(), $lock->acquire());
	unset($lock);
	echo $server->verdict();
}
?>
--EXPECT--
RedisLock\ConnectionException: lock "late_set": the server did not answer in time
bool(false)
bool(false)
bool(true)
played
RedisLock\ConnectionException: lock "late_set": the server did not answer in time
bool(false)
bool(false)
bool(true)
played
RedisLock\ConnectionException: lock "late_set": the server did not answer in time
bool(false)
bool(false)
bool(true)
played
