<?php
/*
 * Runs and judges threads.c, with a server of its own:
 *
 *     php threads.php HOST MODULE FRANKENPHP [REQUESTS]
 *
 * Prints "ok - ..." or "not ok - ..." per check. Four threads hold process-bound locks of their own, request after
 * request, past the ttl; one of them loses its lock twice, a fifth one begins and ends brief requests meanwhile. Then
 * four threads are workers of FrankenPHP (the extension of tests/ext/frankenphp.c), which serve so many requests together.
 */
require __DIR__ . '/../inc/redislock.inc';

const LOSER = '4=loser';
const WORKER = '4=work';
const BRIEF = '400=brief';

[, $host, $module, $frankenphp] = $argv;
$requests = (int) ($argv[4] ?? 400);
$failed = false;

function check(string $what, bool $ok, string $detail = ''): void
{
	echo $ok ? 'ok' : 'not ok', " - $what\n";
	if (!$ok) {
		$GLOBALS['failed'] = true;
		echo $detail === '' ? '' : preg_replace('/^/m', '# ', rtrim($detail)) . "\n";
	}
}

/** Children of a process, those included that only wait to be reaped. */
function children(int $pid): array
{
	$found = [];
	foreach (glob('/proc/[0-9]*/stat') as $file) {
		if (preg_match('/^(\d+) \((.*)\) \S (\d+)/s', (string) @file_get_contents($file), $m) && (int) $m[3] === $pid) {
			$found[(int) $m[1]] = $m[2];
		}
	}
	return $found;
}

/** $jobs: how many requests of which job of request.php, per thread; thread 0 is the one that loses its lock. */
function run(string $title, string $host, string $module, string $renewal, array $jobs): void
{
	$server = new Server();
	$client = $server->client();
	$trouble = tmpfile();
	$command = [$host, $module, $renewal, __DIR__ . '/request.php'];
	array_push($command, ...array_map(fn ($job) => "$job:$server->socket", $jobs));
	/* Nothing of the host outlives this test: it is killed when its input ends without its having ended. */
	$process = proc_open(['timeout', '-s', 'KILL', '120', ...$command], [['pipe', 'r'], ['pipe', 'w'], $trouble], $pipes);
	$pid = 0;
	$most = 0;
	$results = [];
	$told = [];
	$other = '';
	while (($line = fgets($pipes[1])) !== false && $line !== "idle\n") {
		$pid = $pid ?: (int) array_key_first(children(proc_get_status($process)['pid']));
		$most = max($most, count(children($pid)));
		if (!preg_match('/^(\d) (\d) (in|held|not held|lost)$/', rtrim($line), $m)) {
			$other .= $line;
		} elseif ($m[3] !== 'in') {
			$results[$m[1]][$m[2]] = $m[3];
			if (isset($deleted[$m[2]]) && $m[1] === '0') {
				$told[$m[2]] = now() - $deleted[$m[2]];
			}
		} elseif ($m[1] === '0' && in_array($m[2], ['1', '2'], true)) {
			$deleted[$m[2]] = now();
			$client('DEL', 'threads-0');
		}
	}
	ksort($results);
	$seen = json_encode($results) . "\n" . $other . file_get_contents(stream_get_meta_data($trouble)['uri']);
	check("$title: all requests ended", $line === "idle\n", $seen);
	check("$title: the loser, and it alone, is told, in a loop and in a sleep",
		($results[0] ?? null) === ['held', 'lost', 'lost', 'held'], $seen);
	check("$title: at once", count($told) === 2 && max($told) < 2, json_encode($told));
	foreach (array_keys($jobs, WORKER) as $thread) {
		check("$title: thread $thread keeps its locks", ($results[$thread] ?? null) === array_fill(0, 4, 'held'), $seen);
	}
	check("$title: nothing else is said", $other === '', $other);
	check("$title: no key is left", $client('KEYS', '*') === [], json_encode($client('KEYS', '*')));
	/* A sample may meet an old child that has not been reaped yet beside a new one only if there are two. */
	check("$title: one renewal child at most", $most === ($renewal === 'process' ? 1 : 0), "there were $most");
	check("$title: it is gone", children($pid) === [], json_encode(children($pid)));
	check("$title: no thread is left", count(glob("/proc/$pid/task/*")) === 1);
	fclose($pipes[0]);
	$status = proc_close($process);
	$trouble = file_get_contents(stream_get_meta_data($trouble)['uri']);
	check("$title: the host ends orderly", $status === 0 && $trouble === '', "status $status\n$trouble");
	$server->end();
}

/** Workers of FrankenPHP, each in a thread; see worker.php. */
function work(string $renewal, string $host, string $module, string $frankenphp, int $requests): void
{
	$title = "$renewal, workers of FrankenPHP";
	$server = new Server();
	$trouble = tmpfile();
	$each = intdiv($requests, 4);
	$process = proc_open(['timeout', '-s', 'KILL', (string) (60 + $requests / 20), $host, "$frankenphp:$module", $renewal, __DIR__ . '/worker.php',
		...array_fill(0, 4, "1=$each:$server->socket")], [['pipe', 'r'], ['pipe', 'w'], $trouble], $pipes);
	$results = [];
	$other = '';
	while (($line = fgets($pipes[1])) !== false && $line !== "idle\n") {
		if (preg_match('/^(\d) (\{.*\})$/', $line, $m)) {
			$results[$m[1]] = json_decode($m[2], true);
		} else {
			$other .= $line;
		}
	}
	ksort($results);
	$said = file_get_contents(stream_get_meta_data($trouble)['uri']);
	$left = preg_replace('/^redislock: lock "(new-\d|same-\d|all)" was still held at the end of the request, and is released\n/m', '', $said, -1, $logged);
	check("$title: each serves $each requests", $line === "idle\n" && array_column($results, 'requests') === array_fill(0, 4, $each), "$other$left");
	check("$title: locks end with their request, those of the worker and of other threads do not",
		array_merge(...array_column($results, 'wrong')) === [], json_encode($results));
	/* The machine may stall now and then. */
	check("$title: within 50 ms, at worst " . round(1000 * max([0, ...array_column($results, 'worst')])) . ' ms',
		array_sum(array_column($results, 'over')) <= $requests / 100, json_encode($results));
	check("$title: each of them is logged, and nothing else is said", $logged === 12 * $each && $other . $left === '', "$logged\n$other$left");
	/* The waiters key, and a wake token that nobody took, go by themselves. */
	$keys = preg_grep('/:rlk:(waiters|signal)$/', $server->client()('KEYS', '*'), PREG_GREP_INVERT);
	check("$title: no lock is left", $keys === [], json_encode($keys));
	fclose($pipes[0]);
	check("$title: the host ends orderly", proc_close($process) === 0);
	$server->end();
}

foreach (['process', 'thread'] as $renewal) {
	run("$renewal, several threads", $host, $module, $renewal, [LOSER, WORKER, WORKER, WORKER, BRIEF]);
	/* With nobody else at work the child ends with every request, and a new one is started by the next. */
	run("$renewal, one thread", $host, $module, $renewal, [LOSER]);
	work($renewal, $host, $module, $frankenphp, $requests);
}
exit($failed ? 1 : 0);
