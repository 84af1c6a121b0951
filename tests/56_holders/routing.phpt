--TEST--
permits, shared: in a Cluster, and by Sentinel with replicas
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/waiting.inc';
require __DIR__ . '/../inc/cluster.inc';
require __DIR__ . '/../inc/sentinel.inc';

/** Two of two, a third one that waits, a killed one; readers, and one that becomes the writer. */
function play(callable $options, callable $client): void
{
	foreach ([[], ['renew' => true]] as $own) {
		$redis = $client();
		$permits = $options($own + ['name' => 'routing', 'permits' => 2]);
		[$a, $b] = [new RedisLock($permits), new RedisLock($permits)];
		step('two', $a->acquire(), $b->acquire(), $redis('ZCARD', 'routing'));
		$waiter = new Waiter($permits);
		wait_until(fn () => $redis('EXISTS', '{routing}:rlk:waiters') === 1);
		step('the third one', $a->release(), $waiter->got() > 0, $waiter->do('release'), $b->isAcquired(), $b->release());
		$shared = $options($own + ['name' => 'routing', 'shared' => true]);
		[$a, $b] = [new RedisLock($shared), new RedisLock($shared)];
		step('readers', $a->acquire(), $b->acquire(), $a->upgrade(), $b->release(), $a->upgrade(), $redis('TYPE', 'routing'), $a->downgrade());
		$writer = new Waiter($options(['name' => 'routing'] + $own));
		wait_until(fn () => $redis('EXISTS', '{routing}:rlk:turn') === 1);
		step('a writer', $a->release(), $writer->got() > 0, $writer->do('release'), $redis('EXISTS', 'routing'));
		/* Its helper keys keep nobody out. */
		wait_until(fn () => $redis('EXISTS', '{routing}:rlk:turn') === 0);
	}
	$waiter = new Waiter($options(['name' => 'routing', 'permits' => 2, 'renew' => true]));
	$waiter->got();
	$waiter->php->signal(SIGKILL);
	step('killed', comes_true(fn () => $redis('EXISTS', 'routing') === 0));
}

echo "Cluster\n";
$cluster = new Cluster;
play(fn (array $more) => $cluster->options($more), fn () => $cluster->client('routing'));
unset($cluster);

echo "Sentinel\n";
$sentinels = new Sentinels;
play(fn (array $more) => $sentinels->options($more + ['min_replicas' => 1, 'replica_timeout' => 5, 'ttl' => 30]), fn () => $sentinels->client($sentinels->master()));
?>
--EXPECT--
Cluster
two: true, true, 2
the third one: true, true, true, true, true
readers: true, true, false, true, true, 'string', true
a writer: true, true, true, 0
two: true, true, 2
the third one: true, true, true, true, true
readers: true, true, false, true, true, 'string', true
a writer: true, true, true, 0
killed: true
Sentinel
two: true, true, 2
the third one: true, true, true, true, true
readers: true, true, false, true, true, 'string', true
a writer: true, true, true, 0
two: true, true, 2
the third one: true, true, true, true, true
readers: true, true, false, true, true, 'string', true
a writer: true, true, true, 0
killed: true
