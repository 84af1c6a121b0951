--TEST--
A waiter that froze costs the others the provisional ttl, and never believes in a lock that another has
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
$cases = ['lease' => false, 'process-bound' => true];
$holder = $first = $second = [];
$queued = 0;
foreach ($cases as $case => $renew) {
	$options = $server->options(['name' => "frozen $case", 'ttl' => 60, 'renew' => $renew]);
	$holder[$case] = new RedisLock(['renew' => false] + $options);
	$_ = $holder[$case]->acquire();
	$first[$case] = new Waiter($options);
	await_queue($redis, ++$queued);
	$second[$case] = new Waiter($options);
	await_queue($redis, ++$queued);
	$first[$case]->php->signal(SIGSTOP);
}
foreach ($cases as $case => $renew) {
	$freed[$case] = now();
	$holder[$case]->release();
	/* The turn is the first one's, who has a ttl of 2 s and does not know. */
	wait_until(fn () => $redis('EXISTS', "frozen $case") === 1);
	expect_between('ttl, ms', $redis('PTTL', "frozen $case"), 1, 2000);
}
foreach ($cases as $case => $renew) {
	$got[$case] = $second[$case]->got();
}
foreach ($cases as $case => $renew) {
	expect_taken("to the second, $case", $freed[$case], 1.9, 2 + PROVISIONAL_MARGIN, $got[$case]);
	$before = preg_match('/blocked_clients:(\d+)/', $redis('INFO', 'clients'), $m) ? (int) $m[1] : -1;
	$first[$case]->php->signal(SIGCONT);
	/* It waits on, and gets it in its turn. */
	await_queue($redis, $before + 1);
	var_dump($second[$case]->do('held'), $second[$case]->do('release'));
	$first[$case]->got();
	var_dump($first[$case]->do('held'), $first[$case]->do('release'));
}
?>
--EXPECT--
ttl, ms: ok
ttl, ms: ok
to the second, lease: ok
bool(true)
bool(true)
bool(true)
bool(true)
to the second, process-bound: ok
bool(true)
bool(true)
bool(true)
bool(true)
