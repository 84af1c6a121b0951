--TEST--
renewal child: asleep between two renewals
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/tracked.inc';

$s = new Server;
$redis = $s->client();
$lock = new RedisLock($s->options(['name' => 'child_idle', 'ttl' => 300, 'renew' => true]));
$_ = $lock->acquire();
wait_until(fn () => renewal_child(getmypid()));
$child = renewal_child(getmypid());

/* Once it has connected, beside the lock and us, and has had the key tracked, it falls asleep: it is not woken for a second. */
wait_until(fn () => str_contains($redis('INFO', 'clients'), "connected_clients:3\r\n"));
wait_until(fn () => tracked_keys($redis) === 1);
$seen = function () use ($child): array {
	preg_match_all('/ctxt_switches:\s+(\d+)/', file_get_contents("/proc/$child/status"), $m);
	$ticks = array_slice(explode(' ', substr(strrchr(file_get_contents("/proc/$child/stat"), ')'), 2)), 11, 2);
	return [array_sum($m[1]), array_sum($ticks)];
};
wait_until(function () use ($seen, $lock) {
	$before = $seen();
	if (!stays_true(fn () => $lock->isHeld(), 1)) {
		echo "lost\n";
	}
	return $seen() === $before;
});
echo "asleep\n";
--EXPECT--
asleep
