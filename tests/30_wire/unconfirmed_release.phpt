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
		EXPECT SET unconfirmed_release mine NX PX 60000
		SEND +OK
		EXPECT EVALSHA * 3 unconfirmed_release {unconfirmed_release}:rlk:waiters {unconfirmed_release}:rlk:signal mine
		STEP
		AGAIN
		EXPECT EVALSHA * 3 unconfirmed_release {unconfirmed_release}:rlk:waiters {unconfirmed_release}:rlk:signal mine
		SEND :0
		SCRIPT, ['STEP' => $step, 'AGAIN' => $step === 'CLOSE' ? "EXPECT EVALSHA * 3 unconfirmed_release {unconfirmed_release}:rlk:waiters {unconfirmed_release}:rlk:signal mine\nCLOSE" :
			'DELAY 0']));
	$lock = new RedisLock($server->options(['name' => 'unconfirmed_release', 'token' => 'mine',
		'read_timeout' => 0.5]));
	var_dump($lock->acquire());
	echo preg_replace('/ \(unix.*/', '', outcome(fn () => $lock->release())), "\n";
	/* It may be free by now: to go on as its owner would be a mistake. */
	var_dump($lock->isHeld(), $lock->remaining(), $lock->release());
	/* The first release may still come, and what it would free has the same token, which is ours to choose here. */
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
RedisLock\ConnectionException: lock "unconfirmed_release": an earlier try with this token may still be under way, and its end would free the lock
played
bool(true)
RedisLock\ConnectionException: lock "unconfirmed_release": the server did not answer in time
bool(false)
float(0)
bool(false)
RedisLock\ConnectionException: lock "unconfirmed_release": an earlier try with this token may still be under way, and its end would free the lock
played
