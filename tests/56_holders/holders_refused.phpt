--TEST--
permits, shared: a refused try is one request, however many there are; a key that holds something else is named
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/timing.inc';
$server = new Server();
$redis = $server->client();
$make = fn (array $options) => new RedisLock($server->options(['name' => 'holders_refused'] + $options));

foreach ([['permits' => 2], ['permits' => 200], ['shared' => true]] as $kind) {
	$locks = [];
	do {
		$locks[] = $last = $make($kind);
	} while ($last->acquire() && count($locks) < 201 && !isset($kind['shared']));
	if (isset($kind['shared'])) {
		$last->release();
		$_ = $make([])->acquire();
	}
	$redis('CONFIG', 'RESETSTAT');
	$got = $last->acquire();
	preg_match_all('/cmdstat_(set|eval|evalsha):calls=(\d+)/', $redis('INFO', 'commandstats'), $calls);
	step(json_encode($kind), count($locks), $got, array_sum($calls[2]));
	$redis('DEL', 'holders_refused');
}
$redis('HSET', 'holders_refused', 'a', 'b');
foreach ([['permits' => 2], ['shared' => true]] as $kind) {
	foreach ([0.0, 0.5] as $wait) {
		/* What it holds has to be heard within 50 ms. */
		$e = unless_stalled(function () use ($make, $kind, $wait) {
			try {
				$_ = $make($kind)->acquire($wait);
			} catch (RedisLock\Exception $e) {
				return $e;
			}
		}, fn (?RedisLock\Exception $e) => str_contains((string) $e?->getMessage(), 'a hash'));
		step(get_class($e), preg_replace('/ \(.*/', '', $e->getMessage()));
	}
}
step('left', $redis('TYPE', 'holders_refused'));
?>
--EXPECT--
{"permits":2}: 3, false, 1
{"permits":200}: 201, false, 1
{"shared":true}: 1, false, 1
RedisLock\Exception: 'lock "holders_refused": the key holds a hash, not a lock'
RedisLock\Exception: 'lock "holders_refused": the key holds a hash, not a lock'
RedisLock\Exception: 'lock "holders_refused": the key holds a hash, not a lock'
RedisLock\Exception: 'lock "holders_refused": the key holds a hash, not a lock'
left: 'hash'
