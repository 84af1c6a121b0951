--TEST--
A lock with a ttl below the provisional one is extended, too, when its waiter stood in the queue for most of that
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/waiting.inc';
$server = new Server();
$redis = $server->client();
foreach (['lease' => false, 'process-bound' => true] as $kind => $renew) {
	/* Found just before the validity, which counts from joining the queue, would be over; looks line up anew once a second. */
	[$remaining, $pttl, $released] = unless_stalled(function () use ($server, $redis, $kind, $renew) {
		$holder = new RedisLock($server->options(['name' => $kind, 'ttl' => 60]));
		$_ = $holder->acquire();
		$waiter = new Waiter($server->options(['name' => $kind, 'ttl' => 1, 'renew' => $renew]));
		await_queue($redis, 1);
		pause(0.8, 'most of its ttl passes before it has the lock');
		$holder->release();
		$waiter->got();
		return [$waiter->do('remaining'), $redis('PTTL', $kind), $waiter->do('release')];
	}, fn (array $came) => $came[0] >= 0.3 && $came[1] >= 300 && $came[2]);
	expect_between("$kind, remaining", $remaining, 0.3, 1);
	expect_between("$kind, PTTL", $pttl, 300, 1000);
	var_dump($released);
}
?>
--EXPECT--
lease, remaining: ok
lease, PTTL: ok
bool(true)
process-bound, remaining: ok
process-bound, PTTL: ok
bool(true)
