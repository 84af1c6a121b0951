--TEST--
Quorums: a fresh token for each attempt, a random pause between two and none after the last; waiting; signals while waiting
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
if (!extension_loaded('pcntl')) {
	die('skip pcntl is not loaded');
}
--CONFLICTS--
all
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
require __DIR__ . '/../inc/timing.inc';
$servers = servers(3);
foreach ($servers as $i => $s) {
	$s->client()('SET', 'attempts', "foreign$i");
}
/* What the first server is asked. */
$monitor = $servers[0]->client();
$monitor('MONITOR');
$tokens = function () use ($monitor, $servers) {
	$servers[0]->client()('ECHO', 'end');
	for ($tokens = []; !str_contains($line = $monitor->receive(), '"ECHO" "end"');) {
		if (preg_match('/"SET" "attempts" "(\S+)" "NX" "PX"/', $line, $m)) {
			$tokens[] = $m[1];
		}
	}
	return $tokens;
};

$start = now();
var_dump((new RedLock(addresses($servers), 100, 4))->lock('attempts', 10000));
/* Three pauses of 50 to 100 ms. */
expect_taken('four attempts', $start, 0.15, 2);
$seen = $tokens();
var_dump(count($seen), count(array_unique($seen)));
expect_within('one attempt', 0.05, function () use ($servers) {
	$start = now();
	(new RedLock(addresses($servers), 3000, 1))->lock('attempts', 10000);
	return taken($start);
});
$tokens();

/* The option wait does the same until the time is over; a token of the caller's own is used as it is. */
$lock = new RedisLock(['servers' => addresses($servers), 'name' => 'attempts', 'retry_ms' => 40]);
$start = now();
var_dump($lock->acquire(2.0));
$ran = min(2, taken($start));
expect_taken('wait', $start, 1.995, 3.7);
$seen = $tokens();
var_dump(count($seen) >= 13 * $ran, count($seen) === count(array_unique($seen)));

/* Freed meanwhile. */
$freer = new Php('fgets(STDIN); foreach (array_slice($argv, 1) as $a) { (new Client($a))("DEL", "attempts"); }',
	array_map(fn (Server $s) => "unix://$s->socket", $servers));
$freer->tell('go');
var_dump($lock->acquire(20), $lock->release());

/* A handler that throws ends the wait; one that uses the same object does no harm. */
pcntl_async_signals(true);
foreach ($servers as $s) {
	$s->client()('SET', 'attempts', 'foreign');
}
/* Once the wait has begun. */
$killer = function () use ($servers) {
	$servers[0]->client()('CONFIG', 'RESETSTAT');
	return new Php('$redis = new Client($argv[2]);
		wait_until(fn () => str_contains($redis("INFO", "COMMANDSTATS"), "cmdstat_set:"));
		posix_kill((int) $argv[1], SIGUSR1);', [(string) getmypid(), "unix://{$servers[0]->socket}"]);
};
pcntl_signal(SIGUSR1, fn () => throw new RuntimeException('enough'));
$p = $killer();
echo outcome(fn () => $lock->acquire(20)), "\n";
$p->end();
pcntl_signal(SIGUSR1, function () use ($lock, $servers) {
	var_dump($lock->lock('attempts:2'), $lock->unlock('attempts:2'));
	foreach ($servers as $s) {
		$s->client()('DEL', 'attempts');
	}
});
$p = $killer();
var_dump($lock->acquire(20), $lock->release());
$p->end();
echo nothing_left($servers), "\n";
?>
--EXPECT--
bool(false)
four attempts: ok
int(4)
int(4)
one attempt: ok
bool(false)
wait: ok
bool(true)
bool(true)
bool(true)
bool(true)
RuntimeException: enough
bool(true)
bool(true)
bool(true)
bool(true)
nothing is left
