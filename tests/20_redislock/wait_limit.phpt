--TEST--
RedisLock::acquire(): a wait ends in time, and when the lock expires
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--CONFLICTS--
all
--FILE--
<?php
require __DIR__ . '/../inc/timing.inc';
$server = new Server();
$redis = $server->client();
$redis('SET', 'wait_limit', 'other');
$lock = new RedisLock($server->options(['name' => 'wait_limit', 'wait' => 0.25, 'retry_ms' => 50]));
foreach ([[null, 0.25], [0.0, 0.0], [0.4, 0.4]] as [$wait, $limit]) {
	expect_within('wait', $limit + 0.08, function () use ($lock, $wait, $limit) {
		$start = now();
		if ($lock->acquire($wait)) {
			echo "acquired\n";
		}
		return taken($start, null, $limit - 0.001);
	}, 10, $limit - 0.001);
}

/* The end of the lock's ttl is waited for, not the end of a pause between two tries, however long. */
$lock = new RedisLock($server->options(['name' => 'wait_limit', 'retry_ms' => 600000]));
$start = now();
$redis('PEXPIRE', 'wait_limit', '300');
var_dump($lock->acquire(3));
expect_taken('expired', $start, 0.299, 3);
?>
--EXPECT--
wait: ok
wait: ok
wait: ok
bool(true)
expired: ok
