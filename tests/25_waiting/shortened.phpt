--TEST--
keepAlive() with a shorter ttl, hold_at_least: who waits learns of the earlier end
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--CONFLICTS--
all
--FILE--
<?php
require __DIR__ . '/../inc/waiting.inc';
$server = new Server();
$redis = $server->client();
$permits = ['permits' => 2];
$shared = ['shared' => true];
$rests = ['hold_at_least' => 0.8, 'ttl' => 1000];
/* Who holds it, the first of whom is to end, and who waits. */
$cases = [
	'plain' => [[[]], []],
	'permits' => [[$permits, $permits], $permits],
	'a writer behind a reader' => [[$shared], []],
	'a reader behind a writer' => [[[]], $shared],
	'a permit at rest' => [[$permits + $rests, $permits], $permits],
];
foreach ($cases as $name => [$kinds, $kind]) {
	expect_within($name, 0.2, function () use ($server, $redis, $kinds, $kind, $rests) {
		$holders = array_map(fn ($kind) => new RedisLock($server->options($kind + ['name' => 'shortened', 'ttl' => 1000])), $kinds);
		foreach ($holders as $holder) {
			$holder->acquire() || print("not acquired\n");
		}
		$began = now();
		$waiter = new Waiter($server->options($kind + ['name' => 'shortened']));
		await_queue($redis, 1);
		$told = now(); /* of the earlier end: in how long that is, however late the machine lets the waiter hear of it */
		if (isset($kinds[0]['hold_at_least'])) {
			$holders[0]->release();
			$left = max($began + $rests['hold_at_least'] - $told, 0);
		} else {
			$_ = $holders[0]->keepAlive(0.3);
			$left = now() - $told + 0.3;
		}
		$taken = taken($told, $waiter->got(), $left) - $left;
		unset($waiter);
		$redis('FLUSHALL');
		return max($taken, 0);
	}, 5);
}
?>
--EXPECT--
plain: ok
permits: ok
a writer behind a reader: ok
a reader behind a writer: ok
a permit at rest: ok
