--TEST--
RedisLock::setPoller(): permits and shared locks in fibers; upgrade() and downgrade(), too
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
$options = $server->options(['ttl' => 60, 'wait' => 60]);
$queued = fn (int $count) => fn () => str_contains($redis('INFO', 'clients'), "blocked_clients:$count");

foreach (['lease' => [], 'process-bound' => ['renew' => true]] as $kind => $more) {
	echo "$kind\n";
	/* Five want one of two permits. */
	$inside = $most = $turns = 0;
	for ($i = 0; $i < 5; $i++) {
		$loop->start(function () use ($options, $more, $loop, &$inside, &$most, &$turns) {
			$lock = new RedisLock($more + $options + ['name' => 'kinds:permits', 'permits' => 2]);
			if (!$lock->acquire()) {
				return;
			}
			$turns++;
			$most = max($most, ++$inside);
			$loop->sleep(0.01);
			$inside--;
			$lock->release();
		});
	}
	$loop->run();
	step('permits', $turns, $most, $redis('EXISTS', 'kinds:permits'));

	$shared = fn () => new RedisLock($more + $options + ['name' => 'kinds', 'shared' => true]);
	[$a, $b] = [$shared(), $shared()];
	step('shared', $a->acquire(), $b->acquire());
	$writer = new RedisLock($more + $options + ['name' => 'kinds']);
	$polls = $loop->polls;
	$loop->start(fn () => step('a writer', $writer->acquire(), $a->isHeld(), $writer->release()));
	$loop->run($queued(1));
	step('it waits', $writer->isHeld(), $loop->polls > $polls);
	$a->release();
	$b->release();
	$loop->run();

	step('shared again', $a->acquire(), $b->acquire());
	$loop->start(fn () => step('upgrade', $a->upgrade(), $b->release(), $a->upgrade(), $redis('TYPE', 'kinds')));
	$loop->run();
	$loop->start(fn () => step('downgrade', $a->downgrade(), $b->acquire(0), $redis('ZCARD', 'kinds'), $b->release()));
	$loop->run();
	step('left', $a->isHeld(), $a->release(), $redis('EXISTS', 'kinds'));
}
?>
--EXPECT--
lease
permits: 5, 2, 0
shared: true, true
it waits: false, true
a writer: true, false, true
shared again: true, true
upgrade: false, true, true, 'string'
downgrade: true, true, 2, true
left: true, true, 0
process-bound
permits: 5, 2, 0
shared: true, true
it waits: false, true
a writer: true, false, true
shared again: true, true
upgrade: false, true, true, 'string'
downgrade: true, true, 2, true
left: true, true, 0
