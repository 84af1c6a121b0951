<?php
/*
 * churn: waiters that come again as soon as they have had the lock. Who looks at the lock himself may have it again and
 * again while others starve; a queue treats all alike.
 */
declare(strict_types=1);

namespace Bench\Tables\Waiting;

use Bench\Bench;
use Bench\Markdown;
use Bench\Statistics;

/** How many rounds those who poll take part in. */
const POLLING_ROUNDS = 2;

function churn(Bench $bench): void
{
	$rounds = $bench->number('rounds', 8, 1);
	$milliseconds = $bench->quick() ? 500 : 2000;
	$saved = [];
	foreach ([8, 64] as $count) {
		$crowds = crowds($bench, [FLOOR, BOUND, LEASE, ...array_keys(PAUSES)], $count);
		$waits = $late = $turns = array_fill_keys(array_keys($crowds), []);
		for ($round = 0; $round < $rounds; $round++) {
			foreach ($crowds as $name => $crowd) {
				// Theirs is no near thing, and takes as long.
				if ($round >= POLLING_ROUNDS && isset(PAUSES[$name])) {
					continue;
				}
				Bench::progress("churn, K = $count, round " . ($round + 1) . " of $rounds, $name");
				$run = $crowd->churn($milliseconds);
				$own = $run->waits();
				array_push($waits[$name], ...$own);
				if ($own !== []) {
					$late[$name][] = Statistics::quantile($own, 0.999) / Statistics::median($own);
				}
				$turns[$name][] = count($run) / $run->duration() * 1e9;
			}
		}
		unset($crowds, $crowd);
		$rows = [];
		foreach (array_filter($waits) as $name => $own) {
			$ratio = Statistics::median($late[$name]);
			$saved[$name][$count] = ['turns' => Statistics::median($turns[$name]), 'ratio' => $ratio,
				'p999' => Statistics::quantile($own, 0.999)];
			$rows[] = [$name, number_format(Statistics::median($turns[$name]), 0, '.', ' '),
				number_format(Statistics::median($own) / 1e6, 2, '.', ' '),
				number_format(Statistics::quantile($own, 0.999) / 1e6, 1, '.', ' '),
				number_format(max($own) / 1e6, 1, '.', ' '), sprintf('%.2f', $ratio),
				$name === BOUND || $name === LEASE ? ($ratio <= 2 ? 'PASS' : 'FAIL') : ''];
		}
		Markdown::heading("Waits of $count who come again and again, ms");
		Markdown::note("$rounds rounds of $milliseconds ms, " . min($rounds, POLLING_ROUNDS)
			. ' for those who poll. A median near 0 means that whoever had the lock took it again. Wanted of redislock: '
			. 'p99.9 at most twice the median, in the median of the rounds: when the machine stands still for a moment, all who '
			. 'wait then wait longer.');
		Markdown::table(['', 'turns/s', 'median', 'p99.9', 'max', 'p99.9 / median', 'verdict'], $rows);
	}
	$bench->save('churn', $saved);
}
