<?php
/*
 * hand_over: from a release to the next owner running, while a queue of K waiters drains.
 *
 * Contenders drain one after the other in every round, in an order that rotates, and each round's median is divided by
 * that of the floor in the same round; likewise the 99th percentiles, of as many rounds as it takes to speak of one. So
 * what the machine does to one round decides nothing. Those who poll do fewer rounds where a round of theirs takes long.
 */
declare(strict_types=1);

namespace Bench\Tables\Waiting;

use Bench\Bench;
use Bench\Crowd;
use Bench\Markdown;
use Bench\Statistics;
use Bench\Turns;

/** Seconds one who polls may use up for one K. */
const POLLING_BUDGET = 15.0;

/** So many hand-overs at least are behind a 99th percentile that is compared. */
const ENOUGH = 200;

/**
 * @param array<string, Crowd> $crowds
 * @return array<string, list<Turns>>
 */
function drains(array $crowds, int $rounds): array
{
	$drains = array_fill_keys(array_keys($crowds), []);
	$spent = array_fill_keys(array_keys($crowds), 0.0);
	$order = array_keys($crowds);
	for ($round = -1; $round < $rounds; $round++) {
		foreach ($order as $name) {
			Bench::progress(sprintf('K = %d, round %d of %d, %s', $crowds[$name]->count, $round + 1, $rounds, $name));
			if ($spent[$name] > POLLING_BUDGET && isset(PAUSES[$name])) {
				continue;
			}
			$started = hrtime(true);
			$turns = $crowds[$name]->drain();
			$spent[$name] += (hrtime(true) - $started) / 1e9;
			// The round before the first one only warms up.
			if ($round >= 0) {
				$drains[$name][$round] = $turns;
			}
		}
		$order[] = array_shift($order);
	}

	return array_filter($drains);
}

/**
 * Hand-overs by the number of the first round they are from: of each round, or of as many rounds together as make up
 * that many. What is left over at the end goes with the last.
 *
 * @param array<int, Turns> $drains
 * @return array<int, list<int>>
 */
function samples(array $drains, int $least = 1): array
{
	$samples = [];
	$last = null;
	foreach ($drains as $round => $turns) {
		if ($last === null || count($samples[$last]) >= $least) {
			$samples[$last = $round] = [];
		}
		array_push($samples[$last], ...$turns->handOvers());
	}
	if (count($samples) > 1 && count($samples[$last]) < $least) {
		$rest = array_pop($samples);
		array_push($samples[array_key_last($samples)], ...$rest);
	}

	return $samples;
}

/**
 * The quantile of each sample by that of the floor at the same time, and of these the median.
 *
 * @param array<int, Turns> $own
 * @param array<int, Turns> $floor
 */
function ratio(array $own, array $floor, float $quantile, int $least = 1): float
{
	// Those who poll have left early: the floor is judged by the rounds they had in common.
	$floors = samples(array_intersect_key($floor, $own), $least);
	$ratios = [];
	foreach (samples($own, $least) as $round => $sample) {
		$ratios[] = Statistics::quantile($sample, $quantile) / Statistics::quantile($floors[$round], $quantile);
	}

	return Statistics::median($ratios);
}

/** What is told of one contender. @param array<int, Turns> $own @param array<int, Turns> $floor */
function summary(array $own, array $floor): array
{
	$all = array_merge(...array_map(static fn ($turns) => $turns->handOvers(), $own));

	return [
		'median' => Statistics::median($all),
		'p99' => Statistics::quantile($all, 0.99),
		'ratio' => ratio($own, $floor, 0.5),
		'p99_ratio' => ratio($own, $floor, 0.99, ENOUGH),
		'inversions' => array_sum(array_map(static fn ($turns) => $turns->inversions(), $own)) / count($all),
		'requests' => Statistics::median(array_map(static fn ($turns) => $turns->requests(), $own)),
		'commands' => Statistics::median(array_map(static fn ($turns) => $turns->commands(), $own)),
	];
}

function handOverVerdict(string $name, array $s, int $count): string
{
	if ($name !== BOUND && $name !== LEASE) {
		return '';
	}
	$misses = array_keys(array_filter([
		'median' => $s['ratio'] > 1.10,
		'p99' => $s['p99_ratio'] > 1.5,
		'order' => $s['inversions'] > 0,
		'requests' => $count > 1 && $s['requests'] > ($name === BOUND ? 1.1 : 2.1),
		'commands' => $count > 1 && $s['commands'] > 8,
	]));

	return $misses === [] ? 'PASS' : 'FAIL: ' . implode(', ', $misses);
}

function handOver(Bench $bench): void
{
	$saved = [];
	foreach ([1 => 1000, 8 => 200, 64 => 96, 256 => 36] as $count => $rounds) {
		$rounds = $bench->number('rounds', $rounds, max(1, intdiv($rounds, 20)));
		$crowds = crowds($bench, [FLOOR, FLOOR_LEASE, CORE, BOUND, LEASE, ...array_keys(PAUSES)], $count);
		$drains = drains($crowds, $rounds);
		unset($crowds);
		$rows = [];
		foreach ($drains as $name => $own) {
			$s = summary($own, $drains[FLOOR]);
			if ($name !== FLOOR_LEASE) {
				$saved[$name][$count] = $s;
			}
			$ratio = sprintf('%.2f', $s['ratio']);
			if ($name === LEASE) {
				$ratio .= sprintf(' (%.2f)', ratio($own, $drains[FLOOR_LEASE], 0.5));
			}
			$rows[] = [$name, microseconds($s['median']), microseconds($s['p99']), $ratio,
				sprintf('%.2f', $s['p99_ratio']), sprintf('%.1f %%', $s['inversions'] * 100),
				$count > 1 ? sprintf('%.2f', $s['requests']) : '', $count > 1 ? sprintf('%.2f', $s['commands']) : '',
				handOverVerdict($name, $s, $count)];
		}
		Markdown::heading("From release to the next owner, µs, $count waiter" . ($count > 1 ? 's' : ''));
		Markdown::note(array_sum(array_map('count', $drains[BOUND] ?? $drains[FLOOR])) . " hand-overs, $rounds rounds. "
			. 'Ratios are to the first line in the same round, for p99 in as many rounds as have ' . ENOUGH
			. ' hand-overs; the median of them is told. Requests and commands: read and run by the server per hand-over, from '
			. 'the release to the next owner running. In brackets: to the second line, which does what only a lease has to do, '
			. 'too. Wanted of redislock: median at most 1.10, p99 at most 1.5, nobody out of order, at most 1.1 requests '
			. '(2.1 for leases) and 8 commands.');
		Markdown::table(['', 'median', 'p99', 'ratio, median', 'p99', 'out of order', 'requests', 'commands', 'verdict'],
			$rows);
	}
	$bench->save('hand_over', $saved);
}
