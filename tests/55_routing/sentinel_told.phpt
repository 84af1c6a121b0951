--TEST--
Sentinel: what is wrong with the master is told, not that the last try had no time left to find out
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/timing.inc';
require __DIR__ . '/../inc/fake_server.inc';

$replica = "ACCEPT\nEXPECT ROLE\nSEND *1\nSEND $5\nSEND slave\nCLOSE\n";
/* On a machine that stands still the time may be over too soon. */
$try = function (float $timeout, string $script, string $wanted) {
	echo unless_stalled(function () use ($timeout, $script) {
		$master = new FakeServer($script . "ACCEPT\nSILENCE", $at = Server::freePort());
		$names = "EXPECT SENTINEL ...\nSEND *2\nSEND $9\nSEND 127.0.0.1\nSEND \$" . strlen($at) . "\nSEND $at\nCLOSE\n";
		$sentinel = new FakeServer(str_repeat($names, 9), $port = Server::freePort());
		$lock = new RedisLock(['sentinels' => ["127.0.0.1:$port"], 'service' => 'told', 'name' => 'told', 'timeout' => $timeout]);
		try {
			$_ = $lock->acquire();
		} catch (RedisLock\ConnectionException $e) {
			return preg_replace('/ \(.*/', '', $e->getMessage());
		}
		return '';
	}, fn (string $said) => str_contains($said, $wanted)), "\n";
};
$try(0.27, $replica, 'is no master');
$try(0.38, $replica . $replica, 'is no master');
/* It had the time. */
$try(0.8, $replica, 'in time');
?>
--EXPECT--
lock "told": the server that the sentinels name is no master, or not yet
lock "told": the server that the sentinels name is no master, or not yet
lock "told": the server did not answer in time
