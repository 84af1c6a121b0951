--TEST--
Quorums: 2,000 runs with servers that stall again and again leave no key behind, and nobody waits for them
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
/* slow: 2,000 acquisitions of servers that stall */
require __DIR__ . '/../inc/quorum.inc';
require __DIR__ . '/../inc/timing.inc';
$seed = draw_the_same();
$servers = servers(5, true, ...server_is_before('7') ? [] : ['--enable-debug-command', 'yes']);
$clients = array_map(fn (Server $s) => $s->client(), $servers);
$stalled = [];
$red = new RedLock(addresses($servers, 0.05), 1, 1);
$others = new RedLock(addresses($servers, 0.05), 1, 1);
$names = ['slow:a', 'slow:b'];
$got = $refused = $failed = 0;
$began = now();
for ($i = 0; $i < 2000; $i++) {
	/* Up to three at a time, for longer and shorter than the time limit of 50 ms. */
	if (mt_rand(0, 39) === 0) {
		$stalled[] = $clients[$n = mt_rand(0, 4)];
		$clients[$n]->send('DEBUG', 'SLEEP', (string) [0.005, 0.03, 0.06][mt_rand(0, 2)]);
	}
	foreach ([$red, $others] as $who) {
		$lock = false;
		try {
			$lock = $who->lock($names[mt_rand(0, 1)], 120000);
			$lock ? $got++ : $refused++;
			if ($lock && mt_rand(0, 3) === 0) {
				$who->extend($lock, 120000);
			}
		} catch (RedisLock\ConnectionException) {
			$failed++; /* by an extension: the lock is still there */
		}
		try {
			$who->unlock($lock);
		} catch (RedisLock\ConnectionException) {
			$failed++;
		}
	}
	/* Half of the time somebody else has it. */
	if (mt_rand(0, 1)) {
		$held = false;
		try {
			$held = $red->lock('slow:a', 120000);
			$others->unlock($others->lock('slow:a', 120000));
		} catch (RedisLock\ConnectionException) {
			$failed++;
		}
		try {
			$red->unlock($held);
		} catch (RedisLock\ConnectionException) {
			$failed++;
		}
	}
}
foreach ($stalled as $client) {
	$client->receive();
}
/* Each 50 ms that the machine took may have cost one. */
$cost = stalled($began, now()) / 0.05;
echo $got + $cost > 1000 ? "got it\n" : "got it $got times only (seed $seed)\n";
/* What is left to say is said in passing, to a server that was given up once it is tried again. */
wait_until(function () use ($red, $others, $servers) {
	foreach ([$red, $others] as $who) {
		try {
			$who->unlock($who->lock('slow:c', 1000));
		} catch (RedisLock\ConnectionException) {
		}
	}
	return array_diff(all_keys($servers), ['slow:c']) === [];
}, 30);
$red = $others = null;
echo nothing_left($servers), "\n";
?>
--EXPECT--
got it
nothing is left
