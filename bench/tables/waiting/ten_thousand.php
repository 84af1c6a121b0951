<?php
/*
 * ten_thousand: as many waiters for one lock, as threads of one process around our core, without PHP.
 *
 * Such a queue takes longer to drain than the 5 s after which a waiter looks for itself and queues anew, so their
 * order is not the first one all the way, and no figure is given for it.
 */
declare(strict_types=1);

namespace Bench\Tables\Waiting;

use Bench\Bench;
use Bench\Markdown;
use Bench\Statistics;

function tenThousand(Bench $bench): void
{
	$many = $bench->quick() ? 1000 : 10000;
	$bench->server()->command('CONFIG', 'SET', 'maxclients', (string) ($many + 500));
	$rows = $medians = [];
	foreach ([CORE => [64, $many], FLOOR => [64, $many]] as $contender => $counts) {
		foreach ($counts as $count) {
			Bench::progress("$contender, $count waiters");
			$crowd = crowd($bench, $contender, $count, 'threads');
			$times = [];
			for ($round = $count === $many ? 0 : -1; $round < ($count === $many ? 1 : 8); $round++) {
				$turns = $crowd->drain($count !== $many);
				$times = $round < 0 ? [] : array_merge($times, $turns->handOvers());
			}
			unset($crowd);
			$medians[$contender][] = Statistics::median($times);
			$ratio = end($medians[$contender]) / $medians[$contender][0];
			$rows[] = ["$contender, $count waiters", ...figures($times), microseconds(array_sum($times) / count($times)),
				sprintf('%.2f', $ratio), $contender === CORE && $count === $many ? ($ratio <= 2 ? 'PASS' : 'FAIL') : ''];
		}
	}
	Markdown::heading("$many waiters for one lock: from release to the next owner, µs");
	Markdown::note('Threads of one process. The ratio is to the same waiters at K = 64. Wanted: at most 2.');
	Markdown::table(['', 'median', 'p99', 'mean', 'ratio, median', 'verdict'], $rows);
	$bench->save('ten_thousand', $medians);
}
