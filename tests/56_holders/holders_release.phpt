--TEST--
permits, shared: a release by command where nobody else was lately, else by script
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/waiting.inc';
$server = new Server();
$redis = $server->client();
/** How many scripts the server runs meanwhile. */
$scripts = function (callable $do) use ($redis): int {
	$count = fn () => preg_match_all('/^cmdstat_eval(?:sha)?:calls=(\d+)/m', $redis('INFO', 'commandstats'), $m) ? array_sum($m[1]) : 0;
	$before = $count();
	$do();
	return $count() - $before;
};
foreach ([['shared' => true], ['permits' => 3]] as $kind) {
	$of = fn (array $more = []) => new RedisLock($server->options($more + $kind + ['name' => 'holders_release']));
	echo key($kind), "\n";
	$one = $of(['ttl' => 600]);
	$_ = $one->acquire();
	step('alone', $scripts(fn () => step('released', $one->release())), $redis('EXISTS', 'holders_release'));

	/* The key expires with the longest member that is left. */
	$two = $of(['ttl' => 60]);
	step('both', $one->acquire(), $two->acquire(), $redis('PTTL', 'holders_release') > 60_000);
	step('beside another', $scripts(fn () => step('released', $one->release())), $redis('ZCARD', 'holders_release'), $redis('PTTL', 'holders_release') <= 60_000);
	step('once more', $one->acquire(), $scripts(fn () => $one->release()), $redis('PTTL', 'holders_release') <= 60_000);
	step('the last one', $scripts(fn () => step('released', $two->release())), $redis('EXISTS', 'holders_release'));

	/* Who waits is woken, not left to a check. */
	$writer = new Waiter($server->options(['name' => 'holders_release']));
	step('the writer', $writer->got() > 0);
	$reader = new Waiter($server->options($kind + ['name' => 'holders_release']));
	await_queue($redis, 1);
	step('the reader', $writer->do('release'), $reader->got() > 0);
	$writer = new Waiter($server->options(['name' => 'holders_release']));
	await_queue($redis, 1);
	no_checks($redis, 'holders_release');
	$began = now();
	step('woken', $reader->do('release'), $writer->got() - $began < WOKEN, $writer->do('release'));
	$redis('FLUSHALL');

	/* A weight is more than one member, and a hold that is over may still have its member. */
	if (isset($kind['permits'])) {
		$heavy = $of(['weight' => 2]);
		step('weight', $heavy->acquire(), $heavy->release(), $redis('EXISTS', 'holders_release'));
	}
	$_ = $one->acquire();
	$redis('ZADD', 'holders_release', 1, $one->getToken());
	step('lost', $one->isAcquired(), $one->release());
	unset($one, $two, $writer, $reader);
}
?>
--EXPECT--
shared
released: true
alone: 0, 0
both: true, true, true
released: true
beside another: 1, 1, true
once more: true, 1, true
released: true
the last one: 0, 0
the writer: true
the reader: true, true
woken: true, true, true
lost: false, false
permits
released: true
alone: 0, 0
both: true, true, true
released: true
beside another: 1, 1, true
once more: true, 1, true
released: true
the last one: 0, 0
the writer: true
the reader: true, true
woken: true, true, true
weight: true, true, 0
lost: false, false
