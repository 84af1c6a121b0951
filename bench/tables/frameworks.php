<?php
/*
 * frameworks: the locks of Laravel, Symfony and Yii 2, their own on Redis and ours in their place, through packages/.
 *
 * Uncontended pairs as in the table "pairs": client and server share one CPU, the two of a framework take turns round by
 * round, and each round is compared by itself. For the hand-over there are two processes, and the holder releases at
 * any moment between two looks of a waiter that polls.
 */
declare(strict_types=1);

namespace Bench\Tables\Frameworks;

use Bench\Bench;
use Bench\Markdown;
use Bench\Process;
use Bench\Statistics;

/** [framework, ttl given to the lock, how often its own waiters look (s), wanted: pairs, hand-over] */
const FRAMEWORKS = [
	'Laravel' => ['laravel', '', 0.25, 1.0, 300],
	'Symfony, default ttl' => ['symfony', '300', 0.1, 2.0, 100],
	'Symfony, ttl 30' => ['symfony', '30', null, 2.0, null],
	'Yii 2' => ['yii2', '', 0.05, null, 100],
];

/** @return array<string, Process> "stock" and "ours" */
function contenders(Bench $bench, string $framework, string $ttl, int|string|null $cpu): array
{
	$workers = [];
	foreach (['stock', 'ours'] as $kind) {
		$arguments = ["$framework $kind $ttl", '127.0.0.1', (string) $bench->server()->port, ...$bench->frameworks()];
		$workers[$kind] = $bench->phpWorker('frameworks', $arguments,
			[...$bench->shared('mbstring', 'ctype', 'tokenizer'), ...$bench->phpredis(), $bench->module()], $cpu);
	}

	return $workers;
}

/**
 * @param array<string, Process> $workers
 * @return array{array<string, list<float>>, array<string, float>} nanoseconds per pair of each round; requests of a pair
 */
function pairs(Bench $bench, array $workers, int $rounds, int $pairs): array
{
	$times = $requests = [];
	for ($round = -1; $round < $rounds; $round++) {
		foreach ($round % 2 === 0 ? $workers : array_reverse($workers, true) as $kind => $worker) {
			$before = $bench->server()->counters()['total_reads_processed'];
			$elapsed = (int) $worker->ask("pairs $pairs");
			// The round before the first one only warms up.
			if ($round >= 0) {
				$times[$kind][] = $elapsed / $pairs;
				// The question itself is two of them.
				$requests[$kind] = ($bench->server()->counters()['total_reads_processed'] - $before - 2) / $pairs;
			}
		}
	}

	return [$times, $requests];
}

/** Nanoseconds from a release to the waiter having the lock. @return list<int> */
function handOvers(Bench $bench, Process $holder, Process $waiter, ?float $pause, int $times): array
{
	$taken = [];
	for ($i = -1; $i < $times; $i++) {
		$holder->ask('hold');
		$waiter->ask('wait');
		if ($pause === null) {
			while ($bench->server()->blocked() !== 1) {
				usleep(100);
			}
		} else {
			usleep(random_int(0, (int) ($pause * 1e6)) + 20_000);
		}
		$released = (int) $holder->ask('release');
		$had = (int) $waiter->read();
		if ($i >= 0) {
			$taken[] = $had - $released;
		}
		$waiter->ask('release');
	}

	return $taken;
}

function milliseconds(float $ns): string
{
	return number_format($ns / 1e6, $ns < 1e6 ? 3 : 1, '.', ' ');
}

return static function (Bench $bench): void {
	if ($bench->module() === null || $bench->phpredis() === null || $bench->frameworks() === null) {
		return;
	}
	$rounds = $bench->number('rounds', 31, 3);
	$pairs = $bench->number('pairs', 1000, 100);
	$rows = $saved = [];
	foreach (FRAMEWORKS as $name => [$framework, $ttl, , $wanted]) {
		Bench::progress("pairs, $name");
		[$times, $requests] = pairs($bench, contenders($bench, $framework, $ttl, $bench->cpu()), $rounds, $pairs);
		$ratios = array_map(static fn ($stock, $ours) => $stock / $ours, $times['stock'], $times['ours']);
		$ratio = Statistics::median($ratios);
		$rows[] = [$name, ...array_map(static fn ($kind) => number_format(1e9 / Statistics::median($times[$kind]), 0, '.', ' '),
			['stock', 'ours']), ...array_map(static fn ($kind) => sprintf('%.1f', $requests[$kind]), ['stock', 'ours']),
			sprintf('%.2f', $ratio), sprintf('%.2f', Statistics::quantile($ratios, 0.25)),
			$wanted === null ? '' : ($ratio >= $wanted ? 'PASS' : 'FAIL') . sprintf(' (%.0f)', $wanted)];
		$saved['pairs'][$name] = $ratio;
	}
	Bench::progress('');
	Markdown::heading('Uncontended: acquire and release, pairs per second');
	Markdown::note("$rounds rounds of $pairs pairs, a lock object for each; client and server on CPU {$bench->cpu()}; TCP on "
		. 'loopback. "Own" is what the framework does on phpredis. Requests are those the server reads for a pair.');
	Markdown::table(['', 'own', 'ours', 'requests, own', 'ours', 'ratio, median', 'lower quartile', 'verdict'], $rows);

	$rows = [];
	foreach (FRAMEWORKS as $name => [$framework, $ttl, $pause, , $wanted]) {
		if ($pause === null) {
			continue;
		}
		$taken = [];
		foreach (['stock' => $bench->number('rounds', 60, 3), 'ours' => $bench->number('rounds', 500, 10)] as $kind => $times) {
			Bench::progress("hand-over, $name, $kind");
			[$holder, $waiter] = [contenders($bench, $framework, $ttl, $bench->otherCpus())[$kind],
				contenders($bench, $framework, $ttl, $bench->otherCpus())[$kind]];
			$taken[$kind] = handOvers($bench, $holder, $waiter, $kind === 'stock' ? $pause : null, $times);
			unset($holder, $waiter);
		}
		$ratio = Statistics::median($taken['stock']) / Statistics::median($taken['ours']);
		$rows[] = [$name, ...array_merge(...array_map(static fn ($kind) => [milliseconds(Statistics::median($taken[$kind])),
			milliseconds(Statistics::quantile($taken[$kind], 0.99))], ['stock', 'ours'])),
			sprintf('%.0f', $ratio), ($ratio >= $wanted ? 'PASS' : 'FAIL') . " ($wanted)"];
		$saved['hand_over'][$name] = $ratio;
	}
	Bench::progress('');
	Markdown::heading('Hand-over: from the release to the one waiter having the lock, ms');
	Markdown::table(['', 'own, median', 'p99', 'ours, median', 'p99', 'ratio', 'verdict'], $rows);
	$bench->save('frameworks', $saved);
};
