--TEST--
permits, shared: a refused try is one request, however many there are; a key that holds something else is named; none is left without expiry
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

/* A user who may not set the expiry of the key leaves nothing in it, whether it is new or has too little. */
$redis('DEL', 'holders_refused');
$redis('ACL', 'SETUSER', 'app', 'on', '>secret', '~*', '+@all', '-pexpireat');
foreach ([['permits' => 4], ['permits' => 4, 'weight' => 2], ['shared' => true]] as $kind) {
	foreach ([null, 30] as $ttl) {
		$other = $ttl ? $make(['ttl' => $ttl] + $kind) : null;
		$said = [$other?->acquire()];
		try {
			$said[] = $make($kind + ['ttl' => 60, 'auth' => ['app', 'secret']])->acquire();
		} catch (RedisLock\ConnectionException) {
			$said[] = 'refused';
		}
		step(json_encode($kind), ...[...$said, $redis('ZCARD', 'holders_refused'), $other?->release(), $redis('EXISTS', 'holders_refused')]);
		$redis('DEL', 'holders_refused');
	}
}
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
{"permits":4}: NULL, 'refused', 0, NULL, 0
{"permits":4}: true, 'refused', 1, true, 0
{"permits":4,"weight":2}: NULL, 'refused', 0, NULL, 0
{"permits":4,"weight":2}: true, 'refused', 2, true, 0
{"shared":true}: NULL, 'refused', 0, NULL, 0
{"shared":true}: true, 'refused', 1, true, 0
