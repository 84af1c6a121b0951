--TEST--
After a release that was not confirmed nothing is held, and it may be released again
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
foreach (['CLOSE', 'NEXT'] as $step) {
	$server = new FakeServer(strtr(<<<'SCRIPT'
		EXPECT SET unconfirmed_release * NX PX 60000
		SEND +OK
		EXPECT EVALSHA * 3 unconfirmed_release {unconfirmed_release}:rlk:waiters {unconfirmed_release}:rlk:signal *
		STEP
		AGAIN
		EXPECT EVALSHA * 3 unconfirmed_release {unconfirmed_release}:rlk:waiters {unconfirmed_release}:rlk:signal *
		SEND :0
		EXPECT EVALSHA * 2 unconfirmed_release {unconfirmed_release}:rlk:waiters
		SEND $-1
		EXPECT SET unconfirmed_release * NX PX 60000
		SEND +OK
		SCRIPT, ['STEP' => $step, 'AGAIN' => $step === 'CLOSE' ? "EXPECT EVALSHA * 3 unconfirmed_release {unconfirmed_release}:rlk:waiters {unconfirmed_release}:rlk:signal *\nCLOSE" :
			'DELAY 0']));
	$lock = new RedisLock($server->options(['name' => 'unconfirmed_release', 'read_timeout' => 1.5]));
	var_dump($lock->acquire());
	echo preg_replace('/ \(unix.*/', '', outcome(fn () => $lock->release())), "\n";
	/* It may be free by now: to go on as its owner would be a mistake. */
	var_dump($lock->isHeld(), $lock->remaining(), $lock->release());
	echo preg_replace('/ \(unix.*/', '', outcome(fn () => $lock->acquire())), "\n";
	unset($lock);
	echo $server->verdict();
}
?>
--EXPECT--
bool(true)
RedisLock\ConnectionException: lock "unconfirmed_release": the server closed the connection
bool(false)
float(0)
bool(false)
true
played
bool(true)
RedisLock\ConnectionException: lock "unconfirmed_release": the server did not answer in time
bool(false)
float(0)
bool(false)
true
played
