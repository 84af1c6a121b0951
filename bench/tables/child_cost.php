<?php
/*
 * child_cost: what a renewal child costs, without PHP around it.
 *
 * bench/child_start.c and bench/child_renews.c are linked with the sources below src/php. Times are absolute and
 * nothing is pinned, as in process_bound. Three things decide what a start costs: the size of the parent, whether its
 * heap could be left out of the copy, and the number of its mappings.
 */
declare(strict_types=1);

namespace Bench\Tables\ChildCost;

use Bench\Bench;
use Bench\Markdown;
use Bench\Process;
use Bench\Statistics;

const START_STOP_LIMIT = 500e3;
const PRIVATE_LIMIT = 1024;
const CPU_LIMIT = 0.002;
const LEFT_OUT = 'left out';
const SIZES = [16, 128, 512, 2048];

/** As many as PHP has without an ini file. */
function mappings(): int
{
	return (int) shell_exec(escapeshellarg(PHP_BINARY) . " -n -r 'echo count(file(\"/proc/self/maps\"));'");
}

function size(int $megabytes): string
{
	return $megabytes < 1024 ? "$megabytes MB" : $megabytes / 1024 . ' GB';
}

/**
 * The parents to be looked at.
 *
 * @return list<array{name: string, heap: string, command: list<string>, rounds: int}>  command: to be continued
 *     by rounds and socket
 */
function parents(Bench $bench): array
{
	$program = $bench->renewalProgram('child_start');
	// A heap that is copied with the rest, which the sources do where the address sanitizer runs.
	$copying = $bench->renewalProgram('child_start', '.copying', ['-DUNDER_ASAN']);
	$parents = [];
	$add = static function (string $name, string $heap, array $command, int $rounds) use (&$parents): void {
		$parents[] = compact('name', 'heap', 'command', 'rounds');
	};
	$usual = (string) mappings();
	foreach (SIZES as $size) {
		$name = size($size);
		$rounds = $size === 2048 ? 4 : 10;
		$add($name, LEFT_OUT, [$program, (string) $size, $usual, '0'], 20);
		$add($name, 'copied', [$copying, (string) $size, $usual, '0'], $rounds);
		$add("$name, 4 more threads", 'copied', [$program, (string) $size, $usual, '4'], $rounds);
	}
	// This PHP itself has read its ini files, and with them the extensions the machine has.
	foreach ([count(file('/proc/self/maps')), 500, 2000] as $mappings) {
		$add("16 MB, $mappings mappings", LEFT_OUT, [$program, '16', (string) $mappings, '0'], 20);
	}
	$asan = $bench->renewalProgram('child_start', '.asan', ['-g', '-fsanitize=address']);
	$add('128 MB, address sanitizer', 'copied', [$asan, '128', $usual, '0'], 4);
	if (trim((string) shell_exec('command -v valgrind')) !== '') {
		$add('128 MB, valgrind', 'copied', ['valgrind', '--quiet', '--log-file=/dev/null', $program, '128', $usual, '0'], 4);
	} else {
		Bench::warn('valgrind is not there, and its line left out');
	}

	return $parents;
}

/**
 * Runs every parent in turn, several times.
 *
 * @param list<array> $parents
 * @return list<array>  what child_start prints, gathered: first, firstSum, start, atOnce, settled, sum (ns), private (kB), faults
 */
function measured(Bench $bench, array $parents): array
{
	$runs = $bench->number('rounds', 8, 1);
	$results = array_fill(0, count($parents), ['first' => [], 'firstSum' => [], 'start' => [], 'atOnce' => [],
		'settled' => [], 'sum' => [], 'private' => [], 'faults' => []]);
	for ($run = 0; $run < $runs; $run++) {
		foreach ($parents as $i => $parent) {
			Bench::progress("$parent[name], heap $parent[heap], run " . ($run + 1) . " of $runs");
			$process = new Process([...$parent['command'], (string) $parent['rounds'], $bench->server()->socket]);
			$answer = json_decode($process->read(), true, flags: JSON_THROW_ON_ERROR);
			$results[$i]['private'][] = $answer['private'];
			$results[$i]['faults'][] = $answer['faults'][1] - $answer['faults'][0];
			foreach ($answer['rounds'] as $round => [$start, $stop]) {
				$results[$i][$round === 0 ? 'first' : 'start'][] = $start;
				$results[$i][$round % 2 === 0 ? 'atOnce' : 'settled'][] = $stop;
				$results[$i]['sum'][] = $start + $stop;
				if ($round === 0) {
					$results[$i]['firstSum'][] = $start + $stop;
				}
			}
		}
	}
	Bench::progress('');

	return $results;
}

function microseconds(float $ns): string
{
	return number_format($ns / 1e3, 0, '.', ' ');
}

/** For the sanitizer and valgrind times are information: no verdict. */
function isTool(array $parent): bool
{
	return (bool) preg_match('/sanitizer|valgrind/', $parent['name']);
}

function startAndStop(array $parents, array $results): void
{
	$rows = [];
	foreach ($parents as $i => $parent) {
		$times = array_map(static fn ($values) => microseconds(Statistics::median($values)),
			array_intersect_key($results[$i], array_flip(['first', 'firstSum', 'start', 'atOnce', 'settled', 'sum'])));
		$rows[] = [$parent['name'], $parent['heap'], ...array_values($times),
			microseconds(Statistics::quantile($results[$i]['sum'], 0.99)),
			isTool($parent) ? '' : Statistics::verdict($results[$i]['sum'], START_STOP_LIMIT)];
	}
	Markdown::heading('Starting and ending the child, µs');
	Markdown::note(count($results[0]['first']) . ' processes of each kind, each starting and ending a child several times. '
		. 'The medians of: the first start of a process, the same with its stop, later starts, the stop right after the '
		. 'start, the stop of a child that has settled and connected, and all starts and stops together. Wanted for the '
		. 'latter: at most 500. With ' . mappings() . ' mappings, as many as PHP has without an ini file, unless said '
		. 'otherwise; ' . count(file('/proc/self/maps')) . ' are those of PHP with the extensions of this machine.');
	Markdown::table(['parent', 'its heap', 'first start', 'and stop', 'start', 'stop at once', 'settled', 'both', 'both, p99',
		'verdict'], $rows);
}

/** Start and stop by the size of the parent, for bench/plot. @return array<string, array<int, float>> */
function curves(array $parents, array $results): array
{
	$curves = [];
	foreach ($parents as $i => $parent) {
		foreach (SIZES as $size) {
			if (preg_match('/^' . size($size) . '(, \d+ more threads)?$/', $parent['name'], $match)) {
				$curves["heap $parent[heap]" . ($match[1] ?? '')][$size] = Statistics::median($results[$i]['sum']);
			}
		}
	}

	return $curves;
}

function memory(array $parents, array $results): void
{
	$rows = [];
	foreach ($parents as $i => $parent) {
		$kilobytes = max($results[$i]['private']);
		$rows[] = [$parent['name'], $parent['heap'], number_format($kilobytes, 0, '.', ' '),
			$kilobytes < PRIVATE_LIMIT ? 'PASS' : 'FAIL',
			number_format(Statistics::median($results[$i]['faults']), 0, '.', ' ')];
	}
	Markdown::heading('Memory');
	Markdown::note('After the parent has written to every page of its heap: the private memory of the child (the largest '
		. 'seen; wanted: under 1024 kB), and the page faults that writing took beyond those it takes without a child.');
	Markdown::table(['parent', 'its heap', 'child, private kB', 'verdict', 'page faults of the parent'], $rows);
}

/** Of the server's own statistics. @return array{int, int}  reads from clients, bytes */
function serverInput(Bench $bench): array
{
	$info = (string) $bench->server()->command('INFO', 'stats');

	return array_map(static fn ($name) => preg_match("/^$name:(\d+)/m", $info, $match) ? (int) $match[1] : 0,
		['total_reads_processed', 'total_net_input_bytes']);
}

/** @return list<string>  a row of the table */
function renewalRow(Bench $bench, int $locks, int $longNames, float $interval, int $intervals): array
{
	Bench::progress("$locks locks, " . $interval * $intervals . ' s');
	$process = new Process([$bench->renewalProgram('child_renews'), (string) $locks, (string) $longNames,
		(string) (int) ($interval * 3000), (string) (int) ($interval * 1000), $bench->server()->socket]);
	$child = (int) $process->read();
	$cpu = static fn () => (int) strtok((string) file_get_contents("/proc/$child/schedstat"), ' ');
	// Its start is not what is measured here, and the first renewals are far.
	usleep((int) ($interval * 5e5));
	[$cpuBefore, [$readsBefore, $bytesBefore]] = [$cpu(), serverInput($bench)];
	[$renewalsBefore, $writesBefore] = sscanf($process->ask(''), '%d %d');
	usleep((int) ($interval * $intervals * 1e6));
	[$cpuAfter, [$readsAfter, $bytesAfter]] = [$cpu(), serverInput($bench)];
	[$renewals, $writes] = sscanf($process->ask(''), '%d %d');
	if ($renewals - $renewalsBefore !== $locks * $intervals) {
		throw new \RuntimeException("$locks locks were not renewed $intervals times");
	}
	$share = ($cpuAfter - $cpuBefore) / ($interval * $intervals * 1e9);
	$perInterval = ($writes - $writesBefore) / $intervals;

	return [number_format($locks, 0, '.', ' ') . ($longNames > 0 ? ", $longNames of them with 10 kB names" : ''),
		sprintf('%.4f %%', $share * 100), $share < CPU_LIMIT ? 'PASS' : 'FAIL',
		number_format($perInterval, 1), $locks > 100 ? '' : ($perInterval <= 1 ? 'PASS' : 'FAIL'),
		// Our own question is one read.
		number_format(($readsAfter - $readsBefore - 1) / $intervals, 1),
		number_format(($bytesAfter - $bytesBefore) / $intervals / 1024, 0, '.', ' ')];
}

function renewal(Bench $bench): void
{
	$interval = $bench->quick() ? 0.5 : 10.0;
	$rows = [];
	foreach ([[100, 0], [1000, 0], [1000, 50]] as [$locks, $longNames]) {
		$rows[] = renewalRow($bench, $locks, $longNames, $interval, 3);
	}
	Bench::progress('');
	Markdown::heading('Renewing many locks of one process');
	Markdown::note("Three intervals of $interval s, ttl " . $interval * 3 . ' s, one server on a unix socket. CPU time of the '
		. 'child as a share of one core (wanted: under 0.2 %), and per interval: send() calls of the child that carried '
		. 'renewals (wanted: one for 100 locks), reads as the server counts them, which takes at most 16 kB at a time, and '
		. 'what it received.');
	Markdown::table(['locks', 'CPU', 'verdict', 'writes', 'verdict', 'reads of the server', 'kB'], $rows);
}

return static function (Bench $bench): void {
	$parents = parents($bench);
	$results = measured($bench, $parents);
	startAndStop($parents, $results);
	$bench->save('child_start', curves($parents, $results));
	memory($parents, $results);
	renewal($bench);
};
