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
$holder->acquire();
$waiters = [];
for ($i = 0; $i < 6; $i++) {
	/* Leases and process-bound locks in turn: they stand in one queue. */
	$waiters[] = new Waiter($server->options(['name' => 'order', 'renew' => $i % 2 === 1]));
	await_queue($redis, $i + 1);
}
var_dump($holder->release());
$last = 0;
foreach ($waiters as $waiter) {
	$got = $waiter->got();
	var_dump($got > $last, $waiter->do('held'));
	$last = $got;
	$waiter->do('release');
}
var_dump($redis('EXISTS', 'order'));
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
int(0)
