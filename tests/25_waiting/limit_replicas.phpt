--TEST--
acquire() with min_replicas returns in time, also if the replicas do not answer, and leaves no key
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--CONFLICTS--
all
--FILE--
<?php
require __DIR__ . '/../inc/waiting.inc';
$server = new Server(); /* it has none */
$redis = $server->client();
$options = $server->options(['name' => 'limit_replicas', 'min_replicas' => 1, 'replica_timeout' => 1, 'ttl' => 30]);
$lock = new RedisLock($options);
$holder = new Php('$lock = new RedisLock(unserialize($argv[1]));
	while ($held = fgets(STDIN)) {
		$_ = $lock->acquire();
		echo "held\n";
		usleep((int) $held);
		$lock->release();
	}', [serialize($server->options(['name' => 'limit_replicas']))]);

/* It is freed before the limit, or just at it. */
foreach (['free' => 0, 'after a wait' => 20_000, 'after a long wait' => 195_000] as $case => $held_us) {
	$said = [];
	expect_within($case, 0.22, function () use ($held_us, $holder, $lock, $redis, &$said) {
		[$answer, $took] = unless_stalled(function () use ($held_us, $holder, $lock, $redis): array {
			if ($held_us > 0) {
				$holder->tell((string) $held_us);
				$holder->await('held');
			}
			$start = now();
			try {
				$answer = json_encode($lock->acquire(0.2));
			} catch (RedisLock\ConnectionException $e) {
				/* The server may look at its timers just before the limit. */
				$message = preg_replace('/0 of the 1 replicas asked for have the lock after \d+ ms/', 'the replicas did not answer in time', $e->getMessage());
				$answer = strtok($message, '(') . json_encode($e->isRetryable());
			}
			$took = taken($start);
			wait_until(fn () => $redis('EXISTS', 'limit_replicas') === 0);
			return [$answer, $took];
		}, fn (array $said) => $held_us === 195_000 || str_contains($said[0], 'the replicas did not'));
		$said[$answer] = true;
		return $took;
	}, 10);
	if ($held_us !== 195_000) {
		echo implode(', ', array_keys($said)), "\n";
	}
}
?>
--EXPECT--
free: ok
lock "limit_replicas": the replicas did not answer in time true
after a wait: ok
lock "limit_replicas": the replicas did not answer in time true
after a long wait: ok
