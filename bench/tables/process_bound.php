<?php
/*
 * process_bound: what a lock bound to its process costs the job, and how soon its end is noticed.
 *
 * Unlike the pairs, these are absolute times, so they tell something about the machine as well. Jobs are not
 * pinned: the renewal child runs beside the job in real life too. A limit is met ("PASS") when the 99th
 * percentile is within it, "median" says that only the median is.
 */
declare(strict_types=1);

namespace Bench\Tables\ProcessBound;

use Bench\Bench;
use Bench\Fpm;
use Bench\Markdown;
use Bench\Process;
use Bench\Statistics;

const KEY = 'bench:bound';

/** Starts a job; see bench/workers/bound.php. */
function job(Bench $bench, string $command, array $job, array $modules): Process
{
	$job += ['heap' => 1];
	$job['lock'] = ($job['lock'] ?? []) + ['unix_socket' => $bench->server()->socket, 'name' => KEY, 'ttl' => 30];

	return $bench->phpWorker('bound', [$command, json_encode($job)], $modules, null);
}

/** Median and 99th percentile in the given unit of nanoseconds. @return array{string, string} */
function figures(array $values, float $unit, int $digits): array
{
	return array_map(static fn ($ns) => number_format($ns / $unit, $digits, '.', ' '),
		[Statistics::median($values), Statistics::quantile($values, 0.99)]);
}

/** How many mappings a PHP process has before it does anything: a clone pays for each of them. */
function mappings(Bench $bench, string $module): int
{
	return (int) job($bench, 'mappings', [], [$module])->read();
}

/**
 * One process of each kind, one after the other, since a machine's mood lasts longer than that.
 *
 * @param array<string, array{list<int>, list<int>}> $times  by row: before and after the callable; added to
 */
function overheadRun(Bench $bench, string $module, int $heap, float $interval, int $later, int $mappings, array &$times): void
{
	$floor = static fn (int $mappings) => (int) (new Process([$bench->floorStart(), (string) $heap, (string) $mappings,
		$bench->server()->socket]))->read();
	$times['floor'][0][] = $floor(0);
	$times["floor, $mappings mappings"][0][] = $floor($mappings);
	[[$before, $after]] = json_decode(job($bench, 'lease', ['heap' => $heap], [$module])->read());
	$times['a lease, first'][0][] = $before;
	$times['a lease, first'][1][] = $after;
	$job = job($bench, 'overhead', ['heap' => $heap, 'calls' => $later + 1, 'lock' => ['interval' => $interval]], [$module]);
	foreach (json_decode($job->read(), flags: JSON_THROW_ON_ERROR) as $call => [$before, $after]) {
		$times[$call === 0 ? 'first' : 'later'][0][] = $before;
		$times[$call === 0 ? 'first' : 'later'][1][] = $after;
	}
}

/** @return list<string>  a row of the table */
function overheadRow(string $name, array $before, array $after, array $floor): array
{
	$limited = str_ends_with($name, 'first') && !str_contains($name, 'lease') || str_ends_with($name, 'later');
	// Ratios of one round each. Later calls start no child, so the floor says nothing about them.
	$ratio = str_ends_with($name, 'later') ? ''
		: sprintf('%.2f', Statistics::median(array_map(static fn ($ns, $floor) => $ns / $floor, $before, $floor)));

	return [$name, ...figures($before, 1e3, 0), $ratio, $limited ? Statistics::verdict($before, 400e3) : '',
		...($after === [] ? ['', ''] : figures($after, 1e3, 0)), $limited ? Statistics::verdict($after, 300e3) : ''];
}

function overhead(Bench $bench, string $module): void
{
	$runs = $bench->number('rounds', 30, 3);
	$later = $bench->quick() ? 5 : 20;
	$mappings = mappings($bench, $module);
	$rows = [];
	foreach ([[16, 10.0], [128, 10.0], [512, 10.0], [512, 0.1]] as [$heap, $interval]) {
		$times = [];
		for ($run = 0; $run < $runs; $run++) {
			Bench::progress("overhead, $heap MB, run " . ($run + 1) . " of $runs");
			overheadRun($bench, $module, $heap, $interval, $later, $mappings, $times);
		}
		foreach ($times as $call => $beforeAndAfter) {
			// Neither the floor nor a lease renews anything.
			if ($interval >= 1 || in_array($call, ['first', 'later'], true)) {
				$what = in_array($call, ['first', 'later'], true) ? "interval $interval s, $call" : $call;
				$rows[] = overheadRow("$heap MB, $what", $beforeAndAfter[0], $beforeAndAfter[1] ?? [], $times['floor'][0]);
			}
		}
	}
	Bench::progress('');
	Markdown::heading('SequenceTask::execute() around the callable, µs');
	Markdown::note("$runs processes with that much live data; the first call of each starts the renewal child and "
		. "connects, $later more follow. Wanted: at most 400 before, 300 after. The floor is a C program that makes the "
		. 'system calls without which no such lock is possible (bench/floor_start.c), once as it is and once with as many '
		. 'mappings as PHP has; the ratio is the median of those to the former in the same round. The lease is the '
		. 'control: an acquire() and release() that connect but need no child.');
	Markdown::table(['heap and call', 'before, median', 'p99', 'to the floor', 'verdict', 'after, median', 'p99', 'verdict'],
		$rows);
}

/**
 * Requests to one FPM worker, in turn such that take a lease first and such that do not. Behind each of the latter comes
 * the floor's turn.
 *
 * @param list<string> $floor  its command
 * @param array<string, array{list<int>, list<int>}> $times  by row: before and after the callable; added to
 * @return int  kilobytes that the idle child has for itself
 */
function fpmRun(Bench $bench, string $module, array $lock, array $floor, int $heap, int $rest, int $later,
	bool $lease, array &$times): int
{
	$fpm = new Fpm(Fpm::program(), $bench->worker('fpm'), $module);
	$floor = new Process($floor);
	$job = ['lock' => $lock + ['name' => KEY, 'ttl' => 30], 'heap' => $heap, 'rest' => $rest];
	$add = static function (string $row, int $before, int $after) use (&$times): void {
		$times[$row][0][] = $before;
		$times[$row][1][] = $after;
	};
	for ($i = 0; $i <= $later; $i++, $lease = !$lease) {
		[$pid, $before, $after, $acquire, $release] =
			json_decode($fpm->request($job + ['lease' => $lease]), flags: JSON_THROW_ON_ERROR);
		$which = $i === 0 ? 'first' : 'later';
		if ($lease) {
			$add("a lease, $which", $acquire, $release);
		}
		$add($lease ? "$which, behind that lease" : $which, $before, $after);
		if (!$lease) {
			$add('floor', ...json_decode($floor->ask("$heap $rest"), flags: JSON_THROW_ON_ERROR));
		}
	}
	$kilobytes = privateMemory(childOf($pid));
	$fpm->stop();

	return $kilobytes;
}

/** @return list<string>  a row of the table */
function fpmRow(string $name, string $row, array $before, array $after, array $floors, bool $tls): array
{
	$cells = [$name];
	$later = str_contains($row, 'later');
	foreach ([[$before, 100e3], [$after, 80e3]] as $i => [$values, $limit]) {
		$floor = Statistics::median($floors[$i]);
		$above = array_map(static fn ($ns) => $ns - $floor, $values);
		array_push($cells, ...figures($values, 1e3, 0), ...[$later ? figures($above, 1e3, 0)[0] : '', match (true) {
			str_starts_with($row, 'later') => Statistics::verdict($values, $limit),
			$tls && $i === 0 && $row === 'first, behind that lease' => Statistics::verdict($values, 1500e3),
			default => '',
		}]);
	}

	return $cells;
}

function fpm(Bench $bench, string $module): void
{
	if (Fpm::program() === null) {
		return;
	}
	$runs = $bench->number('rounds', 10, 2);
	$later = $bench->quick() ? 4 : 20;
	$tls = $bench->tlsServer();
	$locks = ['plain' => ['unix_socket' => $bench->server()->socket]] + ($tls !== null ? ['TLS' => $tls[1]] : []);
	$rows = $memory = [];
	foreach ($locks as $how => $lock) {
		$floor = $how === 'TLS' ? [$bench->floorRequest(true), (string) $lock['port'], $lock['ssl']['cafile']]
			: [$bench->floorRequest(false), $lock['unix_socket']];
		foreach ([[1, 0], [1, 300], [128, 0], [512, 0]] as [$heap, $rest]) {
			$name = "$how, $heap MB" . ($rest > 0 ? " and a rest of $rest ms" : '');
			$times = $kilobytes = [];
			for ($run = 0; $run < $runs; $run++) {
				Bench::progress("FPM, $name, run " . ($run + 1) . " of $runs");
				$kilobytes[] = fpmRun($bench, $module, $lock, $floor, $heap, $rest, $later, $run % 2 === 1, $times);
			}
			ksort($times);
			foreach ($times as $row => [$before, $after]) {
				$rows[] = fpmRow("$name, $row", $row, $before, $after, $times['floor'], $how === 'TLS');
			}
			$limit = $how === 'TLS' ? 4096 : 1024;
			$memory[] = [$name, (string) max($kilobytes), max($kilobytes) < $limit ? 'PASS' : 'FAIL'];
		}
	}
	Bench::progress('');
	Markdown::heading('SequenceTask::execute() in requests to PHP-FPM, µs');
	Markdown::note("$runs processes; in each the first request, which starts the child, and $later more. A request first makes that much "
		. 'live data, which empties the caches of the processor, and takes time; a request that only sleeps shows how much of the cost '
		. 'is that of the time. A lease pays for both as well, so it is the control. It comes first '
		. 'in every other request, and where that is the first request connects and loads the certificates. The floor is a C program '
		. 'that writes and sleeps as much and then has nothing to do but SET and a release by script (bench/floor_request.c). Wanted: later at '
		. 'most 100 before, 80 after; first with TLS, behind a lease, at most 1,500.');
	Markdown::table(['connection, heap and request', 'before, median', 'p99', 'above the floor', 'verdict', 'after, median', 'p99',
		'above the floor', 'verdict'], $rows);
	Markdown::heading('The idle child between requests');
	Markdown::note('Private memory, the most of those processes. Wanted: under 1024 kB, with TLS under 4096.');
	Markdown::table(['connection and heap', 'private kB', 'verdict'], $memory);
}

function copyOnWrite(Bench $bench, string $module): void
{
	$runs = $bench->quick() ? 2 : 7;
	$heap = 512;
	$times = $faults = [];
	for ($run = 0; $run < $runs; $run++) {
		Bench::progress('copy-on-write, run ' . ($run + 1) . " of $runs");
		foreach (['none' => [], 'lock' => [$module], 'fork' => []] as $how => $modules) {
			$job = job($bench, 'rewrite', ['heap' => $heap, 'how' => $how], $modules);
			[$times[$how][], $faults[$how][]] = json_decode($job->read(), flags: JSON_THROW_ON_ERROR);
		}
	}
	Bench::progress('');
	$rows = [];
	$names = ['none' => 'without the extension', 'lock' => 'inside execute()', 'fork' => 'beside a plain fork'];
	foreach ($names as $how => $name) {
		$ratio = Statistics::median($times[$how]) / Statistics::median($times['none']);
		$rows[] = [$name, number_format(Statistics::median($times[$how]) / 1e6, 1, '.', ' '), sprintf('%.2f', $ratio),
			(string) (int) Statistics::median($faults[$how]),
			$how === 'lock' ? (Statistics::median($faults[$how]) < 256 ? 'PASS' : 'FAIL') : ''];
	}
	Markdown::heading('Copy-on-write cost to the job');
	Markdown::note("One byte written in every page of $heap MB of strings, medians of $runs processes. Each page that "
		. 'has to be copied is a page fault. Wanted inside execute(): none, or next to none (under 256).');
	Markdown::table(['', 'ms', 'ratio', 'page faults', 'verdict'], $rows);
}

function afterKill(Bench $bench, string $module): void
{
	$runs = $bench->number('rounds', 100, 10);
	$server = $bench->server();
	$times = [];
	for ($run = 0; $run < $runs; $run++) {
		Bench::progress('SIGKILL, run ' . ($run + 1) . " of $runs");
		$server->command('DEL', KEY);
		$job = job($bench, 'hold', [], [$module]);
		if ($job->read() !== 'in' || $server->command('GET', KEY) === null) {
			throw new \RuntimeException('the job runs without its lock');
		}
		$job->kill();
		$killed = hrtime(true);
		while ($server->command('SET', KEY, 'contender', 'NX', 'PX', '5000') === null) {
			// Bounded, so that a lock that is never freed shows as its TTL instead of a hanging run.
			if (hrtime(true) - $killed > 40_000_000_000) {
				break;
			}
			usleep(500);
		}
		$times[] = hrtime(true) - $killed;
	}
	Bench::progress('');
	Markdown::heading('From SIGKILL of the holder until a contender is in, ms');
	Markdown::note("$runs kills of a holder with ttl 30; the contender tries every 0.5 ms. Wanted: p99 at most 20.");
	Markdown::table(['', 'median', 'p99', 'max', 'verdict'], [
		['SIGKILL', ...figures($times, 1e6, 2), number_format(max($times) / 1e6, 2), Statistics::verdict($times, 20e6)]]);
}

/** The renewal child of a process. It gives itself its title a moment after the job has its lock. */
function childOf(int $pid): int
{
	$deadline = hrtime(true) + 5_000_000_000;
	do {
		$child = childNow($pid);
	} while ($child === null && hrtime(true) < $deadline);

	return $child ?? throw new \RuntimeException("process $pid has no renewal child");
}

/** The child as its parent and its title tell it now, or null. */
function childNow(int $pid): ?int
{
	foreach (glob('/proc/[0-9]*/stat') as $path) {
		// pid (comm) state ppid: comm may hold anything, so the last parenthesis counts.
		if (preg_match('/^(\d+) \((redislock.*)\) \S (\d+) /s', (string) @file_get_contents($path), $match)
			&& (int) $match[3] === $pid) {
			return (int) $match[1];
		}
	}

	return null;
}

/** Nanoseconds on a CPU so far, the exact figure behind the clock ticks in /proc/PID/stat. */
function cpuTime(int $pid): int
{
	return (int) strtok((string) file_get_contents("/proc/$pid/schedstat"), ' ');
}

/** Kilobytes that no other process shares. */
function privateMemory(int $pid): int
{
	preg_match_all('/^Private_\w+:\s+(\d+) kB$/m', file_get_contents("/proc/$pid/smaps_rollup"), $private);

	return array_sum($private[1]);
}

function child(Bench $bench, string $module): void
{
	$seconds = $bench->quick() ? 1 : 5;
	$rows = [];
	foreach ([16, 512] as $heap) {
		$bench->server()->command('DEL', KEY);
		$job = job($bench, 'hold', ['heap' => $heap, 'lock' => ['interval' => 10]], [$module]);
		$job->read();
		$child = childOf($job->pid);
		Bench::progress("the child of a job of $heap MB, $seconds s");
		// Its start and the word that the lock is held are work; what comes after is not.
		usleep(100_000);
		$before = cpuTime($child);
		usleep($seconds * 1_000_000);
		$used = cpuTime($child) - $before;
		$kilobytes = privateMemory($child);
		$rows[] = ["$heap MB", (string) $kilobytes, $kilobytes < 1024 ? 'PASS' : 'FAIL',
			number_format($used / 1e3, 0, '.', ' '), $used === 0 ? 'PASS' : 'FAIL'];
		$job->stop();
	}
	Bench::progress('');
	Markdown::heading('The renewal child');
	Markdown::note("Private memory, and CPU time during $seconds s between two renewals (interval 10 s). Wanted: under "
		. '1024 kB for any parent, and no CPU time.');
	Markdown::table(['job', 'private kB', 'verdict', 'CPU, µs', 'verdict'], $rows);
}

return static function (Bench $bench): void {
	$module = $bench->module();
	if ($module === null) {
		throw new \RuntimeException('nothing to measure');
	}
	foreach (['overhead', 'fpm', 'copyOnWrite', 'afterKill', 'child'] as $table) {
		(__NAMESPACE__ . '\\' . $table)($bench, $module);
	}
};
