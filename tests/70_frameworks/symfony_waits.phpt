--TEST--
Symfony: a wait ends with a lock that is there, or with an exception
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_vendor(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require __DIR__ . '/../inc/timing.inc';
require __DIR__ . '/../inc/fake_server.inc';
require vendor_autoload();

use RedisLock\Symfony\RedisLockStore;
use Symfony\Component\Lock\Key;

$taken = fn (int $ttl, int $provisional, string ...$more) => new FakeServer(implode("\n", ["EXPECT SET job * NX PX $ttl", 'SEND $-1',
	'EXPECT EVALSHA * 2 job {job}:rlk:waiters', 'SEND *3\r\n$5\r\nother\r\n:50000\r\n:0', "EXPECT SET job * NX PX $ttl", 'SEND $-1',
	'EXPECT EVALSHA * 6 job {job}:rlk:waiters ...', 'SEND *4\r\n:0\r\n:50000\r\n:1\r\n:0',
	'EXPECT BLPOP ...', "EXPECT SET job * NX PX $provisional", ...$more]));
$woken = ['SEND *2\r\n$1\r\ns\r\n$1\r\n1', 'SEND +OK'];

/* Asked, as half of it has gone by, whether it is ours still; while the answer comes, we stop. */
pcntl_async_signals(true);
pcntl_signal(SIGUSR1, fn () => pause(1.1, 'longer than the ttl'));
echo unless_stalled(function () use ($taken, $woken) {
	$fake = $taken(1000, 1000, 'DELAY 550', ...$woken, ...['EXPECT EVALSHA * 1 job * 1000', 'SIGNAL ' . SIGUSR1, 'SEND :1']);
	$store = new RedisLockStore($fake->options(), 1.0);
	try {
		$store->waitAndSave(new Key('job'));
		$said = 'saved';
	} catch (Exception $e) {
		$said = get_class($e);
	}
	return "$said, " . $fake->verdict();
}, fn (string $said) => trim($said) === Symfony\Component\Lock\Exception\LockConflictedException::class . ', played');

/* The answer that the ttl has been set comes late. */
$fake = $taken(300_000, 2000, ...$woken, ...['EXPECT EVAL * 1 job * 300000', 'EXPECT EVALSHA * 1 job * 300000', 'DELAY 600',
	'SEND :1', 'SEND :1']);
$key = new Key('job');
(new RedisLockStore($fake->options()))->waitAndSave($key);
expect_between('lives', $key->getRemainingLifetime(), 290, 299.5);
echo $fake->verdict();
?>
--EXPECT--
Symfony\Component\Lock\Exception\LockConflictedException, played
lives: ok
played
