--TEST--
A hand-over takes the server 8 commands, those of scripts counted, until the next owner has its whole ttl; 5 if a child renews it
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/waiting.inc';
$server = new Server();
$redis = $server->client();
$options = $server->options(['name' => 'hand_over_commands', 'ttl' => 30]);

/* What the server has run, without our own questions. Servers differ in when they count a command that blocks. */
$counts = function () use ($redis): array {
	preg_match_all('/^cmdstat_([^:]+):calls=(\d+)/m', $redis('INFO', 'commandstats'), $m);
	return array_diff_key(array_combine($m[1], array_map(intval(...), $m[2])), ['info' => 0, 'blpop' => 0]);
};
/* Checks would be counted. */
no_checks($redis, 'hand_over_commands');
$lock = new RedisLock($options);
/* The first one shows our lock that somebody waits, and the server the scripts. Before Redis 7 PEXPIRE has no GT. */
foreach (['first' => INF, 'lease' => server_is_before('7') ? 9 : 8, 'process-bound' => 5] as $kind => $most) {
	$_ = $lock->acquire();
	$waiter = new Waiter($options + ['renew' => $kind === 'process-bound']);
	await_queue($redis, 1);
	$before = $counts();
	$_ = $lock->release();
	$waiter->got();
	if ($kind === 'lease') {
		/* Nobody waits for the extension. */
		wait_until(fn () => $counts()['eval'] > $before['eval']);
	}
	$ran = [];
	foreach ($counts() as $command => $calls) {
		$ran[$command] = $calls - ($before[$command] ?? 0);
	}
	step($kind, array_sum($ran) <= $most ?: json_encode(array_filter($ran)));
	$waiter->do('release');
}
?>
--EXPECT--
first: true
lease: true
process-bound: true
