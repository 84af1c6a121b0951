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

$switches = function () use ($child) {
	preg_match_all('/ctxt_switches:\s+(\d+)/', file_get_contents("/proc/$child/status"), $m);
	return array_sum($m[1]);
};
/* Once it has connected, beside the lock and us, and has had the key tracked, it falls asleep. Two looks 50 ms apart that agree: it has. */
wait_until(fn () => str_contains($redis('INFO', 'clients'), "connected_clients:3\r\n"));
wait_until(fn () => tracked_keys($redis) === 1);
$asleep = fn () => str_contains(file_get_contents("/proc/$child/stat"), ') S ');
wait_until(function () use ($switches, $asleep) {
	$before = $switches();
	usleep(50_000); /* between two looks */
	return $asleep() && $switches() === $before;
});
$ticks = fn () => array_sum(array_slice(explode(' ', substr(strrchr(file_get_contents("/proc/$child/stat"), ')'), 2)), 11, 2));
[$switches_before, $ticks_before] = [$switches(), $ticks()];
if (!stays_true(fn () => $lock->isHeld(), 1)) {
	echo "lost\n";
}
echo 'woken ', $switches() - $switches_before, ' times, used ', $ticks() - $ticks_before, " ticks\n";
--EXPECT--
woken 0 times, used 0 ticks
