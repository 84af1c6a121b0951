--TEST--
RedisLock::setPoller(): a lock that was waited for is released over the connection of the wait, behind its extension
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/loop.inc';

$server = new Server(tcp: true);
$redis = $server->client();
$loop = new Loop;
$loop->install();
$options = $server->options(['name' => 'handed over', 'ttl' => 30, 'wait' => 60], tcp: true); // where the system may hold the extension back
$holder = new RedisLock(['read_timeout' => 7.0] + $options); // a client of its own
step('held', $holder->acquire());
$loop->start(function () use ($options, $redis) {
	$lock = new RedisLock($options);
	$connections = fn () => (int) preg_replace('/.*total_connections_received:(\d+).*/s', '$1', $redis('INFO', 'stats'));
	step('handed over', $lock->acquire());
	$before = $connections();
	step('released', $lock->release(), $connections() - $before);
});
$loop->run(fn () => str_contains($redis('INFO', 'clients'), 'blocked_clients:1'));
$holder->release();
$loop->run();
?>
--EXPECT--
held: true
handed over: true
released: true, 0
