--TEST--
redislock export: the locks as metrics for Prometheus, by patterns of names
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
require_once __DIR__ . '/../inc/waiting.inc';

$server = new Server;
$redis = $server->client();
putenv("REDISLOCK_SERVER=unix:$server->socket?prefix=console_export:");
$hold = function (string $name, array $options = []) use ($server): RedisLock {
	$lock = new RedisLock($server->options($options + ['prefix' => 'console_export:', 'name' => $name, 'ttl' => 500]));
	$_ = $lock->acquire();
	return $lock;
};
/* The metrics of a run, without what explains them. */
$metrics = fn (string $text): string => implode("\n", preg_grep('/^#/', explode("\n", trim($text)), PREG_GREP_INVERT));
$export = function (string ...$arguments) use ($metrics): void {
	$run = new Run([...redislock_command(), 'export', ...$arguments]);
	$run->hangUp();
	$status = $run->end();
	echo "-- $status\n", $run->err, $metrics($run->out), "\n";
};

$export();
$names = ['order:1', 'order:22', 'order:0b0e4c1a-3b1f-4b1e-9a35-0c7c2d1e8f10', 'framework/schedule-da39a3ee5e6b4b0d3255bfef95601890afd80709', 'report-2026-11-28.csv', 'v2',
	'page:about-us', "a\"b\\c\n", '7', 'deadbeef', 'face'];
$held = array_map($hold, $names);
$held[] = $hold('order:3', ['ttl' => 0]);
$held[] = $hold('import', ['permits' => 5, 'weight' => 2]);
$held[] = $hold('import', ['permits' => 5]);
$redis('SET', 'console_export:{order:1}:rlk:waiters', '1');
$redis('SET', 'console_export:{console_export:order:1}:rlk:waiters', '1', 'PX', '60000');
$export('--permits=import=5', '--permits=unused=3', '--pattern=page:*');
$export('--match=im*');
echo "-- explained\n";
$run = new Run([...redislock_command(), 'export', '--match=im*']);
$run->hangUp();
$run->end();
echo implode("\n", preg_grep('/held /', explode("\n", $run->out))), "\n";

echo "-- over and over, into a file\n";
$file = "$server->dir/locks.prom";
$run = new Run([...redislock_command(), 'export', '--watch=0.1', "--file=$file", '--match=im*']);
$reads = fn (string $line): bool => comes_true(fn () => str_contains((string) @file_get_contents($file), $line), 60);
step('written', $reads('redislock_held{name="import"} 1'), $reads('redislock_export_up 1'));
step('age', comes_true(fn () => preg_match('/^redislock_oldest_holder_seconds\{name="import"\} (0\.[1-9]|[1-9])/m', file_get_contents($file)) === 1, 60));
$server->kill();
step('away', $reads('redislock_export_up 0'), str_contains(file_get_contents($file), 'held{'));
$server->start();
step('back', $reads('redislock_export_up 1'));
posix_kill($run->pid, SIGTERM);
step('ended', $run->end(), glob("$file.*"));

echo "-- any number of names\n";
$server->client()('EVAL', 'for i = 1, 300 do redis.call("SET", KEYS[1] .. "name-" .. string.rep("x", i), ARGV[1], "PX", 3600000) end', '1', 'console_export:', RedisLock::newToken('many'));
$run = new Run([...redislock_command(), 'export']);
$run->hangUp();
$run->end();
step('metrics', preg_match_all('/^redislock_held\{/m', $run->out), preg_match('/^redislock_held\{name="\*"\} 100$/m', $run->out));
echo "-- wrong\n";
redislock('export', '--permits=import');
redislock('export', '--watch=x');
redislock('export', '--file=/nonexistent/a');
redislock('export', '--server', 'unix:/nonexistent');
?>
--EXPECT--
-- 0
redislock_export_up 1
-- 0
redislock_held{name="*"} 2
redislock_held{name="a\"b\\c?"} 1
redislock_held{name="face"} 1
redislock_held{name="framework/schedule-*"} 1
redislock_held{name="import"} 1
redislock_held{name="order:*"} 4
redislock_held{name="page:*"} 1
redislock_held{name="report-*.csv"} 1
redislock_held{name="v2"} 1
redislock_permits_held{name="*"} 2
redislock_permits_held{name="a\"b\\c?"} 1
redislock_permits_held{name="face"} 1
redislock_permits_held{name="framework/schedule-*"} 1
redislock_permits_held{name="import"} 3
redislock_permits_held{name="order:*"} 4
redislock_permits_held{name="page:*"} 1
redislock_permits_held{name="report-*.csv"} 1
redislock_permits_held{name="v2"} 1
redislock_permits_free{name="import"} 2
redislock_permits_free{name="unused"} 3
redislock_waited{name="*"} 0
redislock_waited{name="a\"b\\c?"} 0
redislock_waited{name="face"} 0
redislock_waited{name="framework/schedule-*"} 0
redislock_waited{name="import"} 0
redislock_waited{name="order:*"} 1
redislock_waited{name="page:*"} 0
redislock_waited{name="report-*.csv"} 0
redislock_waited{name="v2"} 0
redislock_without_expiry{name="*"} 0
redislock_without_expiry{name="a\"b\\c?"} 0
redislock_without_expiry{name="face"} 0
redislock_without_expiry{name="framework/schedule-*"} 0
redislock_without_expiry{name="import"} 0
redislock_without_expiry{name="order:*"} 1
redislock_without_expiry{name="page:*"} 0
redislock_without_expiry{name="report-*.csv"} 0
redislock_without_expiry{name="v2"} 0
redislock_export_up 1
-- 0
redislock_held{name="import"} 1
redislock_permits_held{name="import"} 3
redislock_waited{name="import"} 0
redislock_without_expiry{name="import"} 0
redislock_export_up 1
-- explained
# HELP redislock_held Locks that somebody holds.
# TYPE redislock_held gauge
# HELP redislock_permits_held Permits and shares of them that are held.
# TYPE redislock_permits_held gauge
-- over and over, into a file
written: true, true
age: true
away: true, false
back: true
ended: 143, array (
)
-- any number of names
metrics: 201, 1
-- wrong
64
	redislock: --permits takes a name and a number, as "import=5", not "import"
64
	redislock: --watch takes seconds, from 0.1 to 3600
64
	redislock: /nonexistent/a cannot be written
69
	redislock: unix:///nonexistent: No such file or directory
