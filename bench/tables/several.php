<?php
/*
 * several: locks that several may hold, beside the plain lock in the same rounds, and the order in which they are had.
 */
declare(strict_types=1);

namespace Bench\Tables\Several;

use Bench\Bench;
use Bench\Markdown;
use Bench\Process;
use Bench\Statistics;
use Bench\Tables\Waiting;

require_once __DIR__ . '/waiting/contenders.php';
require_once __DIR__ . '/waiting/hand_over.php';

const PLAIN = 'plain lock';

/** Modes of workers/pairs.php. */
const KINDS = [PLAIN => 'kept', 'one of 4 permits' => 'permits', 'one of 4,096 permits' => 'permits_max', 'shared' => 'shared'];

/** So much of the plain lock's speed at least. */
const SPEED = 0.85;
const HAND_OVER = 1.25;

/** The server's time with 4,096 permits, by that with 4. */
const SERVER_TIME = 3.0;
const KILL_MS = 20;

/** Arrivals so far apart have an order, ms. */
const APART = 60;

function verdict(bool $met): string
{
	return $met ? 'PASS' : 'FAIL';
}

/** Starts a crowd, see bench/crowd.c. Its leader is the process itself. */
function crowd(Bench $bench, string $contender, int $count, float $holdMs): Process
{
	$module = $bench->module() ?? throw new \RuntimeException('the extension is not built: scripts/build.sh');

	return $bench->phpWorker('crowd', [$contender, (string) $count, (string) ($holdMs * 1000), "bench:$contender", 'tcp',
		'127.0.0.1', (string) $bench->server()->port], [$module], $bench->otherCpus());
}

/** Others hold so many permits of that name, for ten minutes. */
function occupy(Bench $bench, string $name, int $count): void
{
	$until = (int) (microtime(true) * 1000) + 600_000;
	$bench->server()->command('DEL', $name);
	for ($i = 0; $i < $count; $i++) {
		$bench->server()->command('ZADD', $name, (string) ($until + $i), "rlk1:host:$i::" . bin2hex(random_bytes(16)));
	}
	if ($count > 0) {
		$bench->server()->command('PEXPIREAT', $name, (string) ($until + $count - 1));
	}
}

function awaitBlocked(Bench $bench, int $count): void
{
	for ($deadline = hrtime(true) + 60_000_000_000; $bench->server()->blocked() !== $count; usleep(200)) {
		if (hrtime(true) > $deadline) {
			throw new \RuntimeException("{$bench->server()->blocked()} wait instead of $count");
		}
	}
}

/** @return list<int>  number, began to wait, acquired, released */
function report(Process $crowd): array
{
	return array_map(intval(...), explode(' ', $crowd->read()));
}

/** @param array<string, int> $others  how many hold beside each */
function pairs(Bench $bench, string $heading, array $others): void
{
	$rounds = $bench->number('rounds', 201, 5);
	$pairs = $bench->number('pairs', 200, 50);
	$server = $bench->server();
	$module = $bench->module() ?? throw new \RuntimeException('the extension is not built: scripts/build.sh');
	$place = ['tcp', '127.0.0.1', (string) $server->port];
	$workers = $served = [];
	foreach (array_intersect_key(KINDS, $others) as $name => $mode) {
		occupy($bench, "bench:$mode", $others[$name]);
		$workers[$name] = $bench->phpWorker('pairs', ['redislock', $mode, ...$place], [$module], $bench->cpu());
	}
	$times = Bench::turns('', array_keys($workers), $rounds, static function ($name) use ($workers, $pairs, $server, &$served) {
		$before = $server->counters();
		$time = (int) $workers[$name]->ask((string) $pairs);
		$after = $server->counters();
		$microseconds = 0;
		foreach (['set', 'evalsha'] as $command) {
			$microseconds += ($after["usec_$command"] ?? 0) - ($before["usec_$command"] ?? 0);
		}
		$served[$name][] = [$microseconds / $pairs,
			// Less our own two questions.
			($after['total_reads_processed'] - $before['total_reads_processed'] - 2) / $pairs];

		return $time / $pairs;
	});
	$rows = [];
	foreach ($times as $name => $own) {
		$ratios = array_map(static fn ($plain, $time) => $plain / $time, $times[PLAIN], $own);
		[$low, $high] = Statistics::medianInterval($ratios);
		$rows[] = [$name, (string) $others[$name], sprintf('%.1f', Statistics::median($own) / 1e3),
			sprintf('%.1f', Statistics::median(array_column($served[$name], 0))),
			sprintf('%.2f', Statistics::median(array_column($served[$name], 1))),
			sprintf('%.3f', Statistics::median($ratios)), sprintf('%.3f to %.3f', $low, $high),
			$name === PLAIN || array_sum($others) > 0 ? '' : verdict(Statistics::median($ratios) >= SPEED)];
	}
	Markdown::heading($heading);
	$note = "$rounds rounds of $pairs pairs of acquire() and release(), TCP on loopback; client and server on CPU {$bench->cpu()}. "
		. "The server's time is that of SET and EVALSHA by its own count, without that of a release by ZREM. Wanted: two requests a pair";
	if (array_sum($others) === 0) {
		Markdown::note($note . sprintf(', and %.2f of the plain lock\'s speed.', SPEED));
	} else {
		$ratio = Statistics::median(array_map(static fn ($many, $few) => $many[0] / $few[0], $served['one of 4,096 permits'],
			$served['one of 4 permits']));
		Markdown::note($note . sprintf(', and at most %.0f times the server\'s time of 4 permits for 4,096: %.2f, %s.', SERVER_TIME,
			$ratio, verdict($ratio <= SERVER_TIME)));
	}
	Markdown::table(['', 'other holders', 'µs', 'in the server, µs', 'requests', 'of the plain lock\'s speed', '95 %', 'verdict'], $rows);
}

function handOver(Bench $bench): void
{
	$rows = [];
	foreach ($bench->quick() ? [8 => 20] : [8 => 200, 64 => 96] as $count => $rounds) {
		occupy($bench, Waiting\nameFor(Waiting\PERMITS, $count), 3);
		$crowds = Waiting\crowds($bench, [Waiting\BOUND, Waiting\PERMITS], $count);
		$drains = Waiting\drains($crowds, $bench->number('rounds', $rounds, 3));
		unset($crowds);
		foreach ($drains as $name => $own) {
			$s = Waiting\summary($own, $drains[Waiting\BOUND]);
			$rows[] = [$name, (string) $count, Waiting\microseconds($s['median']), Waiting\microseconds($s['p99']),
				sprintf('%.2f', $s['ratio']), sprintf('%.1f %%', $s['inversions'] * 100), sprintf('%.2f', $s['requests']),
				$name === Waiting\BOUND ? '' : verdict($s['ratio'] <= HAND_OVER && $s['inversions'] == 0)];
		}
	}
	Markdown::heading('From release to the next owner, µs');
	Markdown::note('As in "waiting". Others hold three of the four permits all the time. Wanted: at most ' . HAND_OVER
		. ' times that of the plain lock, and none out of order.');
	Markdown::table(['', 'waiting', 'median', 'p99', 'ratio', 'out of order', 'requests', 'verdict'], $rows);
}

/** Readers and writers arrive one after the other, and each has its turn once. */
function order(Bench $bench): void
{
	$count = $bench->quick() ? 12 : 60;
	$crowd = crowd($bench, 'mixed', $count, $bench->quick() ? 50 : 1500);
	$crowd->ask('hold');
	for ($i = 0; $i < $count; $i++) {
		Bench::progress("order, arrival $i of $count");
		$crowd->write("wait $i " . $i + 1);
		usleep(APART * 1000);
	}
	awaitBlocked($bench, $count);
	$crowd->write('go');
	for ($turns = []; count($turns) < $count + 1;) {
		$turns[] = report($crowd);
	}
	usort($turns, static fn ($a, $b) => $a[2] <=> $b[2]);
	$late = $wrong = 0;
	foreach ($turns as $i => [$number, , $acquired]) {
		foreach (array_slice($turns, $i + 1) as [$other, , $later]) {
			// Readers who are let in one after the other may find themselves running in any order.
			$late += (int) ($other < $number && ($other % 3 === 0 || $number % 3 === 0));
		}
		foreach ($turns as [$other, , $entered, $left]) {
			$wrong += (int) ($number % 3 === 0 && $other !== $number && $entered < $turns[$i][3] && $left > $acquired);
		}
	}
	$longest = max(array_map(static fn ($turn) => $turn[2] - $turn[1], $turns)) / 1e9;
	Markdown::heading('Readers and writers in line');
	Markdown::note("$count of them, every third a writer, arrive " . APART . ' ms apart while a reader holds the lock, and hold it for '
		. ($bench->quick() ? '0.05' : '1.5') . ' s each. Wanted: nobody out of order, and no writer beside anybody.');
	Markdown::table(['longest wait, s', 'out of order', 'beside a writer', 'verdict'],
		[[sprintf('%.1f', $longest), (string) $late, (string) $wrong, verdict($late === 0 && $wrong === 0)]]);
}

/** Readers come again and again, and a writer now and then. */
function stream(Bench $bench): void
{
	[$readers, $holdMs, $writes] = [8, 100, $bench->number('rounds', 50, 3)];
	$crowd = crowd($bench, 'readers', $readers + 1, $holdMs);
	$milliseconds = $writes * 6 * $holdMs;
	$crowd->write('churn 1 ' . $readers + 1 . " $milliseconds");
	$until = hrtime(true) + ($milliseconds - 10 * $holdMs) * 1_000_000;
	$reads = $written = [];
	$ended = 0;
	usleep(2 * $holdMs * 1000);
	$crowd->write('wait 0 1');
	while ($ended < $readers) {
		Bench::progress('stream of readers, write ' . count($written) + 1);
		$line = $crowd->read();
		if (str_ends_with($line, ' end')) {
			$ended++;
			continue;
		}
		$turn = array_map(intval(...), explode(' ', $line));
		if ($turn[0] !== 0) {
			$reads[] = $turn;
			continue;
		}
		$written[] = $turn;
		if ($turn[3] < $until) {
			usleep($holdMs * 1000);
			$crowd->write('wait 0 1');
		}
	}
	// The longest stay of a reader who was in when the writer came; who acquired within a moment may have come before it.
	$delays = $passed = [];
	foreach ($written as [, $began, $acquired]) {
		$in = array_filter($reads, static fn ($turn) => $turn[3] > $began && $turn[2] < $acquired);
		$passed[] = count(array_filter($in, static fn ($turn) => $turn[2] > $began + APART * 1_000_000));
		$first = array_filter($in, static fn ($turn) => $turn[2] <= $began + APART * 1_000_000);
		$delays[] = $acquired - max([$began, ...array_column($first, 3)]);
	}
	Markdown::heading('A writer among readers who come again and again');
	Markdown::note("$readers readers that hold the lock for $holdMs ms each, without a pause, and " . count($written) . ' writes. '
		. 'The wait is that after the last reader had left who was in when the writer came. Wanted: no reader enters later than '
		. APART . ' ms after a writer came.');
	Markdown::table(['wait, median, µs', 'p99', 'readers that passed', 'verdict'],
		[[...Waiting\figures($delays), (string) array_sum($passed), verdict(array_sum($passed) === 0)]]);
}

function kill(Bench $bench): void
{
	$runs = $bench->number('rounds', 100, 3);
	$rows = [];
	foreach (['permits' => 'one of 4 permits', 'mixed' => 'a reader, for a writer'] as $contender => $what) {
		occupy($bench, "bench:$contender", $contender === 'permits' ? 3 : 0);
		$times = [];
		for ($run = 0; $run < $runs; $run++) {
			Bench::progress("kill, $what, run " . ($run + 1) . " of $runs");
			$crowd = crowd($bench, $contender, 1, 1);
			$crowd->ask('hold');
			$crowd->write('wait 0 1');
			awaitBlocked($bench, 1);
			$killed = hrtime(true);
			posix_kill($crowd->pid, 9);
			$times[] = report($crowd)[2] - $killed;
			awaitBlocked($bench, 0);
		}
		$rows[] = [$what, ...Waiting\figures($times), Waiting\microseconds(max($times)), Statistics::verdict($times, KILL_MS * 1e6)];
	}
	Markdown::heading('From SIGKILL of a holder to the next owner, µs');
	Markdown::note("$runs runs each. Wanted: p99 at most " . KILL_MS . ' ms.');
	Markdown::table(['holder', 'median', 'p99', 'max', 'verdict'], $rows);
}

return static function (Bench $bench): void {
	pairs($bench, 'Several holders, one at a time', array_fill_keys(array_keys(KINDS), 0));
	pairs($bench, 'Several holders, all but one permit held by others',
		[PLAIN => 0, 'one of 4 permits' => 3, 'one of 4,096 permits' => 4095]);
	foreach (['handOver', 'order', 'stream', 'kill'] as $part) {
		$bench->stopServer();
		(__NAMESPACE__ . '\\' . $part)($bench);
		Bench::progress('');
	}
};
