--TEST--
renewal child: 100 locks are renewed with one write per interval
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$take = function (int $i) use ($s) {
	$lock = new RedisLock($s->options(['name' => "child_batch-$i", 'ttl' => 30, 'interval' => 0.4, 'renew' => true]));
	$lock->acquire() || print("not acquired\n");
	return $lock;
};
$locks = [$take(0)];
$child = await_renewal_child(getmypid());

/* Stopped until all are overdue: from then on they are in step, however long the acquisitions took. */
stop_process($child);
for ($i = 1; $i < 100; $i++) {
	$locks[] = $take($i);
}
pause(0.45, 'the last one must be overdue, too');
posix_kill($child, SIGCONT);

$numbers = function () use ($redis) {
	$info = $redis('INFO', 'all'); /* of one moment */
	preg_match('/total_reads_processed:(\d+)/', $info, $reads);
	preg_match('/cmdstat_pexpire:calls=(\d+)/', $info, $renewals);
	return [(int) $reads[1], (int) ($renewals[1] ?? 0)];
};
var_dump(comes_true(fn () => $numbers()[1] >= 100));
[$reads_before, $renewals_before] = $numbers();
$looks = 0;
var_dump(comes_true(function () use ($numbers, $renewals_before, &$looks, &$reads, &$renewals) {
	$looks++;
	usleep(20_000); /* between two looks */
	[$reads, $renewals] = $numbers();
	return $renewals >= $renewals_before + 300;
}));
/* Each look of ours was a read of the server. It may take two for 100 renewals, its buffer being 16 kB. */
$reads -= $reads_before + $looks;
expect_between("renewals per read", ($renewals - $renewals_before) / max(1, $reads), 30, 100);
--EXPECT--
bool(true)
bool(true)
renewals per read: ok
