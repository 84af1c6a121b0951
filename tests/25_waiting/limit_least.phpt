--TEST--
acquire(): the shortest wait has a moment for one try, connecting included: a process-bound lock's the same as a lease's
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/timing.inc';
require __DIR__ . '/../chaos/Proxy.php';

$server = new Server(true, '--requirepass', 'secret');
$proxy = new Proxy($server->port);
$options = ['host' => '127.0.0.1', 'port' => $proxy->port, 'password' => 'secret', 'name' => 'limit_least', 'ttl' => 20];
$try = function (bool $renew) use ($options): array {
	$lock = new RedisLock($options + ['renew' => $renew]);
	$start = now();
	try {
		$made = $lock->acquire(0.001);
	} catch (RedisLock\ConnectionException $e) {
		$made = $e->getMessage();
	}
	$took = taken($start, null, 0.001);
	try {
		$lock->release();
	} catch (RedisLock\ConnectionException) {
	}
	return [$made, $took];
};

/* Two round trips, for AUTH and SET. */
foreach ([false, true] as $renew) {
	$proxy->tell('delay 1');
	[$made] = unless_stalled(fn () => $try($renew), fn (array $made) => $made[0] === true);
	echo $renew ? 'bound: ' : 'lease: ', json_encode($made), "\n";
	/* Both have that moment of 20 ms together. With one for each they would succeed. */
	$proxy->tell('delay 8');
	$answers = array_map(fn () => $try($renew), range(1, 20));
	echo $renew ? 'bound, 32 ms away: ' : 'lease, 32 ms away: ', in_array(true, array_column($answers, 0), true) ? 'acquired' : 'no time for both',
		"\n";
	expect_between('in time', max(array_column($answers, 1)), 0.001, 1);
}
?>
--EXPECT--
lease: true
lease, 32 ms away: no time for both
in time: ok
bound: true
bound, 32 ms away: no time for both
in time: ok
