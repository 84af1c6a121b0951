--TEST--
permits, shared: whoever leaves wakes those of another kind for whom there is room now
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/waiting.inc';
$server = new Server();
$redis = $server->client();
$shared = ['shared' => true];
/* Who holds it, who waits, and how many have to leave. */
$cases = [
	'permits behind readers' => [[$shared, $shared, $shared], ['permits' => 3], 1],
	'a weight behind readers' => [[$shared, $shared, $shared], ['permits' => 4, 'weight' => 3], 2],
	'permits behind fewer' => [[['permits' => 3], ['permits' => 3], ['permits' => 3], ['permits' => 5, 'weight' => 2]], ['permits' => 5], 1],
	'permits behind more' => [[['permits' => 5], ['permits' => 5]], ['permits' => 2], 1],
	'a writer behind permits' => [[['permits' => 2], ['permits' => 2]], [], 2],
];
foreach ($cases as $name => [$kinds, $kind, $leave]) {
	$holders = array_map(fn ($kind) => new RedisLock($server->options($kind + ['name' => 'other_kinds'])), $kinds);
	foreach ($holders as $holder) {
		$holder->acquire() || print("not acquired\n");
	}
	$waiter = new Waiter($server->options($kind + ['name' => 'other_kinds']));
	await_queue($redis, 1);
	no_checks($redis, 'other_kinds');
	$freed = now();
	foreach (array_slice($holders, 0, $leave) as $holder) {
		$freed = now();
		$holder->release();
	}
	expect_taken($name, $freed, -1, 0.3, $waiter->got());
	unset($waiter);
	$redis('FLUSHALL');
}
?>
--EXPECT--
permits behind readers: ok
a weight behind readers: ok
permits behind fewer: ok
permits behind more: ok
a writer behind permits: ok
