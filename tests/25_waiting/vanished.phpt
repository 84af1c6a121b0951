--TEST--
Waiters that vanished without a FIN cost the others the provisional ttl each, not theirs, nor a slice
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/waiting.inc';
$server = new Server(tcp: true);
$redis = $server->client();
$proxy_at = fn (int $port) => Php::program(__DIR__ . '/vanished.inc', [$port, $server->port]);
/* Each with a lock of its own: how many vanish, and whether the one behind them is process-bound. */
$cases = ['one' => [1, false], 'one, process-bound' => [1, true], 'two' => [2, false], 'two, process-bound' => [2, true]];
$proxy = $proxy_at($port = Server::freePort());
$proxy->await('listening');
$holders = $gone = $last = $children = [];
$queued = 0;
foreach ($cases as $case => [$count, $renew]) {
	$options = ['name' => "vanished $case", 'ttl' => 60, 'renew' => $renew];
	$holders[$case] = new RedisLock($server->options(['renew' => false] + $options));
	$_ = $holders[$case]->acquire();
	for ($i = 0; $i < $count; $i++) {
		$gone[] = new Waiter(['host' => '127.0.0.1', 'port' => $port] + $options);
		await_queue($redis, ++$queued);
	}
	$last[$case] = new Waiter($server->options($options));
	await_queue($redis, ++$queued);
}
$proxy->tell('drop');
$proxy->await('dropping');
foreach ($gone as $waiter) {
	array_push($children, ...renewal_children($waiter->php->pid));
	$waiter->php->signal(SIGKILL);
	$waiter->php->end();
}
foreach ($cases as $case => [$count]) {
	$freed[$case] = now();
	$holders[$case]->release();
}
foreach ($cases as $case => [$count]) {
	$got[$case] = $last[$case]->got();
	var_dump($last[$case]->do('release'));
}
foreach ($cases as $case => [$count]) {
	expect_taken($case, $freed[$case], 1.9 * $count, 2 * $count + PROVISIONAL_MARGIN, $got[$case]);
}
/* They would look for the server until the ttl is over. */
array_map(fn (int $child) => posix_kill($child, SIGKILL), $children);
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
one: ok
one, process-bound: ok
two: ok
two, process-bound: ok
