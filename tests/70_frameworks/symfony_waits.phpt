--TEST--
Symfony: a wait ends with a lock that is there, or with an exception
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_vendor(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require __DIR__ . '/../inc/fake_server.inc';
require vendor_autoload();

use RedisLock\Symfony\RedisLockStore;
use Symfony\Component\Lock\Key;

/* Waited for, and then asked whether it is ours still, as half of it has gone by; while the answer comes, we stop. */
$fake = new FakeServer(<<<'SCRIPT'
	EXPECT SET job * NX PX 500
	SEND $-1
	EXPECT SET job * NX PX 500
	SEND $-1
	EXPECT EVALSHA * 2 job {job}:rlk:waiters ...
	SEND *3\r\n:0\r\n:50000\r\n:1
	EXPECT BLPOP ...
	EXPECT SET job * NX PX 500
	DELAY 300
	SEND *2\r\n$1\r\ns\r\n$1\r\n1
	SEND +OK
	EXPECT EVALSHA * 1 job * 500
	SIGNAL 10
	SEND :1
	SCRIPT);
pcntl_async_signals(true);
pcntl_signal(SIGUSR1, fn () => usleep(600_000));
$store = new RedisLockStore($fake->options(), 0.5);
try {
	$store->waitAndSave(new Key('job'));
	echo 'saved';
} catch (Exception $e) {
	echo get_class($e);
}
echo ', ', $fake->verdict();
?>
--EXPECT--
Symfony\Component\Lock\Exception\LockConflictedException, played
