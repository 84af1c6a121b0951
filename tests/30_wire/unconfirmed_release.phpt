--TEST--
After a release that was not confirmed nothing is held, and it may be released again
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
require __DIR__ . '/../inc/timing.inc';

$said = function (string $step): string {
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
	/* It may be free after the release: to go on as its owner would be a mistake. */
	$outcomes = [outcome(fn () => $lock->acquire()), outcome(fn () => $lock->release()),
		json_encode([$lock->isHeld(), $lock->remaining(), $lock->release()]), outcome(fn () => $lock->acquire())];
	unset($lock);
	return preg_replace('/ \(unix.*/m', '', implode("\n", $outcomes)) . "\n" . $server->verdict();
};
foreach (['CLOSE', 'NEXT'] as $step) {
	/* Why a release was refused is asked for 50 ms. */
	echo unless_stalled(fn () => $said($step), fn (string $said) => str_ends_with($said, "played\n"));
}
?>
--EXPECT--
true
RedisLock\ConnectionException: lock "unconfirmed_release": the server closed the connection
[false,0,false]
true
played
true
RedisLock\ConnectionException: lock "unconfirmed_release": the server did not answer in time
[false,0,false]
true
played
