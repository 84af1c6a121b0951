--TEST--
Cluster: every operation finds the node that has the slot, from any seed, and after the slot has moved
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/cluster.inc';
require __DIR__ . '/../inc/waiting.inc';
$all = new Cluster();
/* What was learned is kept, unless something about the configuration is different. */
$fresh = function (string $name, array $more = [], array $seeds = [2]) use ($all) {
	static $ms = 0;
	return new RedisLock($all->options($more + ['name' => $name, 'ttl' => 30, 'timeout' => 2 + ++$ms / 1000], $seeds));
};
$name = $all->name('cluster_moved', 0);
$redis = $all->client($name);

echo "from a wrong seed\n";
foreach ([[0, 1, 2], [1], [5]] as $seeds) {
	$lock = $fresh($name, seeds: $seeds);
	$other = fn () => RedisLock::restore($all->options(['timeout' => 3 + random_int(1, 1000) / 1000], [2]), $name, $lock->getToken());
	$done = [$lock->acquire(), $redis('GET', $name) === $lock->getToken(), !$fresh($name)->acquire(),
		$fresh($name)->holder()['token'] === $lock->getToken(), $other()->isAcquired(), $other()->keepAlive(50),
		$redis('PTTL', $name) > 40000, $other()->release(), !$other()->release(),
		$fresh($name)->acquire(), $fresh($name)->forceRelease(), !$fresh($name)->forceRelease(), $fresh($name)->holder() === null];
	echo implode(' ', array_map(intval(...), $done)), "\n";
}

echo "after it moved\n";
$lock = $fresh($name, seeds: [0]);
$at = 0;
$steps = [
	'acquire' => fn () => $lock->acquire(),
	'acquire again' => fn () => (new RedisLock($all->options(['name' => $name], [0])))->acquire(),
	'isAcquired' => fn () => $lock->isAcquired(),
	'keepAlive' => fn () => $lock->keepAlive(20),
	'holder' => fn () => $lock->holder()['token'] === $lock->getToken(),
	'release' => fn () => $lock->release(),
	'waiting' => function () use ($all, $name, &$lock, &$waiter, &$at) {
		no_checks($all->nodes[$at]->client(), $name);
		$_ = $lock->acquire();
		$waiter = new Waiter($all->options(['name' => $name, 'ttl' => 30], [0, 1, 2]), 30);
		await_queue($all->nodes[$at]->client(), 1);
		return true;
	},
	'waiting at the new node' => function () use ($all, &$at) {
		await_queue($all->nodes[$at]->client(), 1);
		return true;
	},
	'woken' => function () use (&$lock, &$waiter) {
		[$left, $done] = [now(), $lock->release()];
		return $done && $waiter->got() - $left < WOKEN;
	},
	'released' => function () use (&$waiter) {
		return $waiter->do('release');
	},
	'forceRelease' => fn () => $lock->acquire() && $lock->forceRelease(),
];
foreach ($steps as $step => $do) {
	echo "$step: ", var_export($do(), true), "\n";
	$to = ($at + 1) % 3;
	$all->beginMove($all->slot($name), $at, $to);
	$all->endMove($all->slot($name), $at, $to);
	$at = $to;
}

echo "several names, on several nodes\n";
$names = ['{cluster}moved:a', ...array_map(fn ($n) => $all->name("cluster_moved_$n", $n), [0, 1, 2]), '{cluster}moved:b'];
$lock = $fresh('unused');
$all_true = fn (callable $do) => var_dump(array_unique(array_map($do, $names)) === [true]);
$all_true(fn ($name) => $lock->lock($name));
$all_true(fn ($name) => $all->client($name)('EXISTS', $name) === 1);
$all_true(fn ($name) => !$fresh($name)->acquire());
/* What belongs to a lock is in its slot. */
$waiters = array_map(fn ($name) => new Waiter($all->options(['name' => $name, 'ttl' => 30]), 30), $names);
$all_true(fn ($name) => comes_true(fn () => preg_match('/:rlk:waiters$/m',
	implode("\n", $all->client($name)('CLUSTER', 'GETKEYSINSLOT', $all->slot($name), 100)))));
$all_true(fn ($name) => $lock->unlock($name));
foreach ($waiters as $waiter) {
	$waiter->got();
}
$all_true(fn ($name) => $all->client($name)('EXISTS', $name) === 1);
?>
--EXPECT--
from a wrong seed
1 1 1 1 1 1 1 1 1 1 1 1 1
1 1 1 1 1 1 1 1 1 1 1 1 1
1 1 1 1 1 1 1 1 1 1 1 1 1
after it moved
acquire: true
acquire again: false
isAcquired: true
keepAlive: true
holder: true
release: true
waiting: true
waiting at the new node: true
woken: true
released: true
forceRelease: true
several names, on several nodes
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
