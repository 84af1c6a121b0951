--TEST--
redislock list: 10,000 locks, in pages, pipelined, in 32 MB
--EXTENSIONS--
pcntl
mbstring
ctype
tokenizer
--SKIPIF--
<?php require __DIR__ . '/../inc/console.inc'; skip_unless_console(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/console.inc';

/* What it costs: bench/run list. */
const LOCKS = 10_000;
const PAGE = 100;
$server = new Server;
$redis = $server->client();
putenv("REDISLOCK_SERVER=unix:$server->socket?prefix=console_list_many:");
$redis('EVAL', 'for i = 1, ' . LOCKS . ' do redis.call("SET", KEYS[1] .. i, ARGV[1], "PX", 3600000) end', '1', 'console_list_many:', RedisLock::newToken('many'));

/** @return array<string, int> what the server has counted */
$counted = function () use ($redis): array {
	preg_match_all('/^cmdstat_(\w+):calls=(\d+)|^(total_reads_processed):(\d+)/m', $redis('INFO', 'all'), $lines, PREG_SET_ORDER);
	return array_merge(...array_map(fn ($line) => [$line[3] ?? $line[1] => (int) ($line[4] ?? $line[2])], $lines));
};
foreach ([[], ['--json']] as $more) {
	$before = $counted();
	$run = new Run([...redislock_command('memory_limit=32M'), 'list', ...$more]);
	step('list ' . implode($more), $run->end(), $run->err);
	$after = $counted();
	$calls = fn (string $what): int => $after[$what] - ($before[$what] ?? 0);
	preg_match_all($more === [] ? '/^(\d+)\t/m' : '/^\{"name":"(\d+)","kind":"plain"/m', $run->out, $names);
	step('all of them', count($names[1]), count(array_unique($names[1])));
	/* A key may come twice. */
	foreach (['getrange', 'pttl', 'exists'] as $command) {
		expect_between($command, $calls($command), LOCKS, 1.5 * LOCKS);
	}
	/* Valkey 9 gives whole buckets, which makes a page a few keys longer. */
	expect_between('pages', $calls('scan'), 0.9 * LOCKS / PAGE, 3 * LOCKS / PAGE);
	/* 3 for each page, were the server's buffer large enough. */
	expect_between('reads', $calls('total_reads_processed'), 2.7 * LOCKS / PAGE, 30 * LOCKS / PAGE);
}
?>
--EXPECT--
list : 0, ''
all of them: 10000, 10000
getrange: ok
pttl: ok
exists: ok
pages: ok
reads: ok
list --json: 0, ''
all of them: 10000, 10000
getrange: ok
pttl: ok
exists: ok
pages: ok
reads: ok
