--TEST--
RedisLock::keepAlive(): exactly the ttl given, or the one last given
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/timing.inc';
$server = new Server();
$redis = $server->client();
$lock = new RedisLock($server->options(['name' => 'keepalive', 'ttl' => 10]));
$_ = $lock->acquire();
foreach ([[100], [], [5], [null], ['7.5'], [0.5]] as $ttl) {
	$full = ['[100]' => 100, '[]' => 100, '[5]' => 5, '[null]' => 5, '["7.5"]' => 7.5,
		'[0.5]' => 0.5][json_encode($ttl)];
	[$kept, $pttl, $remaining] = unless_stalled(function () use ($lock, $redis, $ttl) {
		$_ = $lock->isHeld() || $lock->acquire();
		$redis('PEXPIRE', 'keepalive', '3000');
		return [$lock->keepAlive(...$ttl), $redis('PTTL', 'keepalive'), $lock->remaining()];
	}, fn (array $came) => min($came[1] / 1000, $came[2]) >= $full * 0.9 - 0.4);
	echo json_encode($ttl), ' ', json_encode($kept), "\n";
	expect_between('PTTL', $pttl, $full * 900 - 400, $full * 1000);
	expect_between('remaining', $remaining, $full * 0.9 - 0.4, $full * 0.99);
}
$_ = $lock->keepAlive(60);
$lock->release();

/* The next acquisition is back at the configured ttl. */
$_ = $lock->acquire();
expect_between('PTTL', $redis('PTTL', 'keepalive'), 5000, 10000);
var_dump($lock->keepAlive());
expect_between('PTTL', $redis('PTTL', 'keepalive'), 5000, 10000);
?>
--EXPECT--
[100] true
PTTL: ok
remaining: ok
[] true
PTTL: ok
remaining: ok
[5] true
PTTL: ok
remaining: ok
[null] true
PTTL: ok
remaining: ok
["7.5"] true
PTTL: ok
remaining: ok
[0.5] true
PTTL: ok
remaining: ok
PTTL: ok
bool(true)
PTTL: ok
