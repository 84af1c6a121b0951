--TEST--
RedisLock::setPoller(): fibers wait for one lock in order, while others run; one alone waits no request longer
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/loop.inc';
require __DIR__ . '/../inc/waiting.inc';

$server = new Server;
$redis = $server->client();
$loop = new Loop;
$loop->install();
$options = $server->options(['name' => 'queue', 'ttl' => 30, 'wait' => 60]);
$holder = new RedisLock($options);
step('without waiting', $holder->acquire(), $loop->polls);
no_checks($redis, 'queue');
$order = [];
for ($i = 1; $i <= 5; $i++) {
	$loop->start(function () use ($i, $options, $loop, &$order) {
		$lock = new RedisLock($options);
		$order[] = $lock->acquire() ? $i : "not $i";
		$loop->sleep(0.002);
		if (!$lock->keepAlive(20) || !$lock->isAcquired() || !$lock->release()) {
			echo "$i has lost it\n";
		}
	});
	$loop->run(fn () => str_contains($redis('INFO', 'clients'), "blocked_clients:$i"));
}
$loop->start(function () use ($loop, &$order, &$ticks) {
	while (count($order) < 5) {
		$loop->sleep(0.001);
		$ticks++;
	}
});
step('while all wait', $order);
$holder->release();
$loop->run();
step('in order', implode(' ', $order));
step('another fiber went on', $ticks > 0);
step('left', $redis('GET', 'queue'), preg_match('/blocked_clients:0/', $redis('INFO', 'clients')));
?>
--EXPECT--
without waiting: true, 0
while all wait: array (
)
in order: '1 2 3 4 5'
another fiber went on: true
left: NULL, 1
