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

function churn(Bench $bench): void
{
	$rounds = $bench->number('rounds', 2, 1);
	$milliseconds = $bench->quick() ? 500 : 4000;
	$saved = [];
	foreach ([8, 64] as $count) {
		$crowds = crowds($bench, [FLOOR, BOUND, LEASE, ...array_keys(PAUSES)], $count);
		$waits = $turns = array_fill_keys(array_keys($crowds), []);
		for ($round = 0; $round < $rounds; $round++) {
			foreach ($crowds as $name => $crowd) {
				Bench::progress("churn, K = $count, round " . ($round + 1) . " of $rounds, $name");
				$run = $crowd->churn($milliseconds);
				array_push($waits[$name], ...$run->waits());
				$turns[$name][] = count($run) / $run->duration() * 1e9;
			}
		}
		unset($crowds, $crowd);
		$rows = [];
		foreach (array_filter($waits) as $name => $own) {
			$late = Statistics::quantile($own, 0.999) / Statistics::median($own);
			$saved[$name][$count] = ['turns' => Statistics::median($turns[$name]), 'ratio' => $late,
				'p999' => Statistics::quantile($own, 0.999)];
			$rows[] = [$name, number_format(Statistics::median($turns[$name]), 0, '.', ' '),
				number_format(Statistics::median($own) / 1e6, 2, '.', ' '),
				number_format(Statistics::quantile($own, 0.999) / 1e6, 1, '.', ' '),
				number_format(max($own) / 1e6, 1, '.', ' '), sprintf('%.2f', $late),
				$name === BOUND || $name === LEASE ? ($late <= 2 ? 'PASS' : 'FAIL') : ''];
		}
		Markdown::heading("Waits of $count who come again and again, ms");
		Markdown::note("$rounds rounds of $milliseconds ms. A median near 0 means that whoever had the lock took it "
			. 'again. Wanted of redislock: p99.9 at most twice the median.');
		Markdown::table(['', 'turns/s', 'median', 'p99.9', 'max', 'p99.9 / median', 'verdict'], $rows);
	}
	$bench->save('churn', $saved);
}
