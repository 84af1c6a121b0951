--TEST--
Laravel: with "scheduler" on, a scheduled task that is killed may run again at once, and an isolated command of a store of process-bound locks
--SKIPIF--
<?php require __DIR__ . '/../inc/laravel.inc'; skip_unless_laravel('dom'); ?>
--FILE--
<?php
/* slow: it starts artisan 40 times */
require __DIR__ . '/../inc/laravel.inc';
require __DIR__ . '/../inc/timing.inc';

$server = new Server(true);
$redis = $server->client();
putenv('REDISLOCK_SCHEDULER=true');
$laravel = new LaravelApp($server, code_of(__DIR__ . '/laravel_scheduler_app.inc'));
$laravel->write('task', "echo begins $$ >> said; until [ -e go ]; do sleep 0.01; done; echo ends >> said\n");
/* What has been said since, less the pid. */
$said = function () use ($laravel): string {
	$said = (string) @file_get_contents("$laravel->folder/said");
	@unlink("$laravel->folder/said");
	return preg_replace('/ \d+/', '', str_replace("\n", ', ', trim($said)));
};
$pid = function () use ($laravel): int {
	wait_until(fn () => preg_match('/begins \d+$/m', (string) @file_get_contents("$laravel->folder/said")), 60);
	preg_match_all('/begins ([1-9]\d+)$/m', file_get_contents("$laravel->folder/said"), $found);
	return (int) end($found[1]) ?: throw new AssertionError('no pid');
};
$key = function () use ($redis): string {
	$keys = preg_grep('/:rlk:/', $redis('KEYS', '*framework*'), PREG_GREP_INVERT);
	return (string) reset($keys);
};
$run = function (string $task) use ($laravel): Php {
	putenv("TASK=$task");
	return $laravel->artisan('schedule:run');
};
/* What an artisan starts inherits it. The directory would not do: a thread-safe PHP has one of its own in each thread. */
$mark = 'STARTED_BY=' . getmypid();
putenv($mark);
foreach (['closure', 'command', 'background', 'shell', 'shell in the background'] as $task) {
	echo "-- $task\n";
	$background = str_contains($task, 'background');
	$first = $run($task);
	$pid();
	if ($background) {
		$first->end();
	}
	/* The command has taken over the lock. */
	wait_until(fn () => $redis('PTTL', $key()) <= 30_000);
	putenv('MUTEX=' . preg_replace('/^.*app_cache_/', '', $key()));
	echo 'a second one: ', preg_match('/RUNNING|DONE/', $run($task)->rest()), ' ', $said(), "\n";
	if ($task === 'command') {
		/* The lock is the command's, which goes on. */
		$first->signal(SIGKILL);
		echo 'without schedule:run: ', json_encode(stays_true(fn () => $redis('EXISTS', $key()) === 1, 0.2)), "\n";
	}
	/* All at once, so that none starts another one, but not the renewal children. */
	$held = $key();
	$killed = hrtime(true) / 1e9;
	foreach ([SIGSTOP, SIGKILL] as $signal) {
		foreach (glob('/proc/[0-9]*/environ') as $environ) {
			if (str_contains((string) @file_get_contents($environ), "$mark\0") &&
				!str_contains((string) @file_get_contents(dirname($environ) . '/cmdline'), 'redislock: ')) {
				$running = (int) basename(dirname($environ));
				$signal === SIGSTOP ? stop_process($running) : posix_kill($running, $signal);
			}
		}
	}
	wait_until(fn () => !$redis('EXISTS', $held));
	expect_taken('free after', $killed, 0, 1);
	$first->end();
	$said();
	$next = $run($task);
	$pid();
	/* What is left of the one that was killed does not free what is another's now. */
	putenv('REDISLOCK_HANDED_ON=' . http_build_query(['argument' => 'work', 'name' => getenv('MUTEX'), 'owner' => 'killed']));
	$laravel->artisan('schedule:finish', getenv('MUTEX'), '137')->rest();
	putenv('REDISLOCK_HANDED_ON');
	echo 'the next run: ', $said(), '; ', $redis('EXISTS', $key()) ? 'held' : 'free';
	touch("$laravel->folder/go");
	$next->end();
	wait_until(fn () => !$key());
	echo ', ', $said(), "\n";
	unlink("$laravel->folder/go");
}

echo "-- what a shell has started ends with the lock\n";
foreach (['shell', 'shell in the background'] as $task) {
	$first = $run($task);
	$running = $pid();
	wait_until(fn () => $redis('PTTL', $key()) <= 30_000);
	$prefix = strstr($key(), 'framework', true);
	$redis('DEL', $key());
	wait_until(fn () => !is_running($running));
	$first->end();
	wait_until(fn () => str_contains((string) @file_get_contents("$laravel->folder/said"), 'after'), 60);
	echo $said(), "\n";
}
$hold = function (string $line, string ...$options) use ($laravel, $redis, $prefix): Php {
	$redis('SET', $prefix . 'held', 'owner', 'PX', '60000');
	putenv('REDISLOCK_HANDED_ON=' . http_build_query(['argument' => 'redislock:hold', 'name' => 'held', 'owner' => 'owner']));
	$held = $laravel->artisan('redislock:hold', $line, ...$options);
	putenv('REDISLOCK_HANDED_ON');
	return $held;
};
$held = $hold('trap "" TERM; (echo begins $(exec sh -c "echo \\$PPID") >> said; while :; do sleep 0.01; done); :', '--grace=0.3');
$running = $pid();
$redis('DEL', $prefix . 'held');
wait_until(fn () => !is_running($running));
echo 'also what stays after SIGTERM: ', json_encode($held->end()), ' ', $said(), "\n";
foreach (['process', 'copy'] as $who) {
	putenv("STARVED=$who");
	$held = $hold('sh ./task; echo never >> said');
	wait_until(function () use ($laravel, &$starts) {
		return preg_match('/^starts (\d+)$/m', (string) @file_get_contents("$laravel->folder/said"), $starts);
	}, 60);
	$who === 'process' ? $redis('DEL', $prefix . 'held') : $held->signal(SIGTERM);
	touch("$laravel->folder/exec");
	wait_until(fn () => !is_running((int) $starts[1]));
	$held->end();
	echo "also what has just started, the $who waits: ", $said(), "\n";
}
putenv('STARVED');
foreach (['TERM' => SIGTERM, 'INT' => SIGINT] as $what => $signal) {
	$held = $hold('sh ./task; echo never >> said');
	$running = $pid();
	$held->signal($signal);
	wait_until(fn () => !is_running($running));
	$held->end();
	echo "$what is passed on: ", $said(), "\n";
}

echo "-- a command whose schedule:run was killed frees its lock at its end\n";
$first = $run('command');
$pid();
$before = $key();
wait_until(fn () => $redis('PTTL', $before) <= 30_000);
$first->signal(SIGKILL);
$first->end();
$ended = hrtime(true) / 1e9;
touch("$laravel->folder/go");
wait_until(fn () => !$redis('EXISTS', $before));
expect_taken('free after', $ended, 0, 1);
unlink("$laravel->folder/go");
$said();

echo "-- what runs before a command\n";
$first = $run('prepared');
$pid();
$before = $key();
expect_between('ttl', $redis('PTTL', $before), 1, 30_000);
$first->signal(SIGKILL);
$killed = hrtime(true) / 1e9;
wait_until(fn () => !$redis('EXISTS', $before));
expect_taken('free after', $killed, 0, 1);
$first->end();
$said();

echo "-- schedule:list and schedule:clear-cache\n";
$list = fn () => substr_count($laravel->artisan('schedule:list')->rest(), 'Has Mutex');
$first = $run('closure');
$pid();
$before = $key();
echo $list(), ' ', preg_match_all('/Deleting mutex/', $laravel->artisan('schedule:clear-cache')->rest()), ' ', $list(), ' ',
	$redis('EXISTS', $before), "\n";
touch("$laravel->folder/go");
$first->end();
unlink("$laravel->folder/go");
$said();

echo "-- each second\n";
$twice = fn () => substr_count((string) @file_get_contents("$laravel->folder/said"), 'each second') >= 2;
do { /* a minute may end before, and ends it */
	$said();
	$first = $run('often');
	wait_until(fn () => $twice() || !is_running($first->pid));
} while (!$twice());
$laravel->artisan('schedule:interrupt')->rest();
$first->end();
echo preg_match('/^each second, each second/', $said()), "\n";

echo "-- on one server, also where the locks of the store are process-bound\n";
$laravel->write('config/cache.php', "<?php return ['stores' => ['redislock' => ['driver' => 'redislock', 'connection' => 'default', 'process' => true]]];");
foreach (['first', 'second'] as $host) {
	$run('one')->rest();
}
echo $said(), "\n";

echo "-- isolated\n";
$isolated = fn () => $laravel->artisan('isolated', '--isolated');
$first = $isolated();
$pid();
echo $isolated()->rest(), ' ', $said(), "\n";
$held = $redis('KEYS', '*command-isolated')[0];
$first->signal(SIGKILL);
$killed = hrtime(true) / 1e9;
wait_until(fn () => !$redis('EXISTS', $held));
expect_taken('free after', $killed, 0, 1);
$next = $isolated();
$pid();
touch("$laravel->folder/go");
echo $next->rest(), $said(), ' ', $redis('EXISTS', $held), "\n";
?>
--EXPECT--
-- closure
a second one: 0 begins
free after: ok
the next run: begins, after, the key is held; held, ends, after, the key is held
-- command
a second one: 0 begins
without schedule:run: true
free after: ok
the next run: begins, after, the key is held; held, ends, after, the key is held
-- background
a second one: 0 begins
free after: ok
the next run: begins, after, the key is held; held, ends, after, the key is held
-- shell
a second one: 0 begins
free after: ok
the next run: begins, after, the key is held; held, ends, after, the key is held
-- shell in the background
a second one: 0 begins
free after: ok
the next run: begins, after, the key is held; held, ends, after, the key is held
-- what a shell has started ends with the lock
begins, after, the key is free
begins, after, the key is free
also what stays after SIGTERM: {"exit":1} begins
also what has just started, the process waits: starts
also what has just started, the copy waits: starts
TERM is passed on: begins
INT is passed on: begins
-- a command whose schedule:run was killed frees its lock at its end
free after: ok
-- what runs before a command
ttl: ok
free after: ok
-- schedule:list and schedule:clear-cache
1 1 0 0
-- each second
1
-- on one server, also where the locks of the store are process-bound
on one server
-- isolated
The [isolated] command is already running.
 begins
free after: ok
begins, ends 0
