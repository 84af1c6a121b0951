--TEST--
RedisLock::setPoller(): permits and shared locks in fibers; upgrade() suspends until the others have left, downgrade() lets them in
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
	$said = ['upgraded' => null, 'downgraded' => null]; /* who came later may go on before the answer to downgrade() is read */
	$loop->start(function () use ($a, $redis, &$said) {
		$said['upgraded'] = [$a->upgrade(60), $redis('TYPE', 'kinds')];
		$said['downgraded'] = [$a->downgrade()];
	});
	$loop->run($queued(1));
	$late = $shared();
	$loop->start(function () use ($late, $redis, &$said) {
		$said['who came later'] = [$late->acquire(), $redis('TYPE', 'kinds'), $late->release()];
	});
	$loop->run($queued(2));
	foreach (['upgrade', 'downgrade', 'release'] as $method) {
		try {
			$a->$method();
			echo "$method() during upgrade()\n";
		} catch (LogicException) {
		}
	}
	$b->release();
	$loop->run();
	foreach ($said as $what => $values) {
		step($what, ...$values);
	}
	step('left', $a->isHeld(), $a->release(), $redis('EXISTS', 'kinds'));

	/* The fiber that waits to be alone is destroyed: it shares as before, and nobody is in the way of the others. */
	step('once more', $a->acquire(), $b->acquire());
	$fiber = $loop->start(fn () => step('never', $a->upgrade(60)));
	$loop->run($queued(1));
	$loop->forget($fiber);
	unset($fiber);
	wait_until($queued(0));
	wait_until(fn () => $redis('EXISTS', '{kinds}:rlk:turn') === 0);
	step('it shares', $a->isAcquired(), $late->acquire(0), $redis('ZCARD', 'kinds'));
	step('released', $a->release(), $b->release(), $late->release(), $redis('EXISTS', 'kinds'));
}
?>
--EXPECT--
lease
permits: 5, 2, 0
shared: true, true
it waits: false, true
a writer: true, false, true
shared again: true, true
upgraded: true, 'string'
downgraded: true
who came later: true, 'zset', true
left: true, true, 0
once more: true, true
it shares: true, true, 3
released: true, true, true, 0
process-bound
permits: 5, 2, 0
shared: true, true
it waits: false, true
a writer: true, false, true
shared again: true, true
upgraded: true, 'string'
downgraded: true
who came later: true, 'zset', true
left: true, true, 0
once more: true, true
it shares: true, true, 3
released: true, true, true, 0
