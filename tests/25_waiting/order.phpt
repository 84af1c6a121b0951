--TEST--
Waiters get the lock in the order in which they came
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
$holder = new RedisLock($server->options(['name' => 'order']));
$_ = $holder->acquire();
$waiters = [];
for ($i = 0; $i < 6; $i++) {
	/* Leases and process-bound locks in turn: they stand in one queue. */
	$waiters[] = new Waiter($server->options(['name' => 'order', 'renew' => $i % 2 === 1]));
	await_queue($redis, $i + 1);
}
step('the holder releases', $holder->release());
$last = 0;
foreach ($waiters as $waiter) {
	$got = $waiter->got();
	step('later than the one before, and held', $got > $last, $waiter->do('held'));
	$last = $got;
	$waiter->do('release');
}
step('keys left', $redis('EXISTS', 'order'));
?>
--EXPECT--
the holder releases: true
later than the one before, and held: true, true
later than the one before, and held: true, true
later than the one before, and held: true, true
later than the one before, and held: true, true
later than the one before, and held: true, true
later than the one before, and held: true, true
keys left: 0
