<?php
/*
 * before: this version beside the one before a change, as contenders of one run: bench/run --before PATH.
 *
 * Both do the same in every round, in an order that alternates, so that whatever the machine is busy with meets both. Told
 * is the median over the rounds of the older one's time by ours, and the 95 % interval of that median by order statistics
 * (W. J. Conover, Practical Nonparametric Statistics, chapter 3.2), which supposes nothing about how times are distributed.
 */
declare(strict_types=1);

namespace Bench\Tables\Before;

use Bench\Bench;
use Bench\Crowd;
use Bench\Markdown;
use Bench\Statistics;
use Bench\Tables\Waiting;

require_once __DIR__ . '/waiting/contenders.php';

const SIDES = ['now', 'before'];
const WANTED = 0.99;
const SERVERS = 5;

/** What a pair of workers/pairs.php is, by its mode. */
const PAIRS = [
	'kept' => 'kept connection',
	'persistent' => 'persistent connection',
	'new' => 'new connection',
	'bound' => 'process-bound',
];

/** @return array{now: string, before: string}  paths of the modules */
function modules(Bench $bench): array
{
	return array_combine(SIDES, [$bench->module() ?? throw new \RuntimeException('the extension is not built: scripts/build.sh'),
		$bench->before()]);
}

/** @return list<string>  a row of the table @param array{now: list<float>, before: list<float>} $times  ns of each round */
function row(string $what, array $times): array
{
	$ratios = array_map(static fn ($now, $before) => $before / $now, $times['now'], $times['before']);
	$ratio = Statistics::median($ratios);
	[$low, $high] = Statistics::medianInterval($ratios);
	$verdict = $ratio >= WANTED ? 'PASS' : ($high >= WANTED ? 'unsure' : 'FAIL');

	return [$what, ...array_map(static fn ($side) => number_format(Statistics::median($times[$side]) / 1e3, 1, '.', ' '), SIDES),
		sprintf('%.3f', $ratio), sprintf('%.3f to %.3f', $low, $high), (string) count($ratios), $verdict];
}

/** @return list<list<string>> */
function pairs(Bench $bench, bool $apart): array
{
	$rounds = $bench->number('rounds', 101, 5);
	$pairs = $bench->number('pairs', 500, 50);
	$server = $bench->server();
	$rows = [];
	foreach (['TCP' => ['tcp', '127.0.0.1', (string) $server->port], 'unix' => ['unix', $server->socket, '0']] as $name => $place) {
		foreach ($apart ? ['kept' => PAIRS['kept']] : PAIRS as $mode => $kind) {
			$what = "$kind, $name" . ($apart ? ', a CPU for the server' : '');
			$workers = array_map(static fn ($module) => $bench->phpWorker('pairs', ['redislock', $mode, ...$place], [$module],
				$apart ? $bench->otherCpus() : $bench->cpu()), modules($bench));
			$rows[] = row($what, Bench::rounds($workers, $rounds, $pairs));
		}
	}

	return $rows;
}

/** @return list<string>  a row */
function quorum(Bench $bench): array
{
	$pairs = $bench->number('pairs', 200, 20);
	$servers = array_map(static fn () => $bench->anotherServer(), range(1, SERVERS));
	$ports = implode(',', array_map(static fn ($server) => $server->port, $servers));
	$workers = array_map(static fn ($module) => $bench->phpWorker('quorum', ['redislock', '5', $ports], [$module], null),
		modules($bench));

	return row('quorum of ' . SERVERS,
		Bench::rounds($workers, $bench->number('rounds', 101, 5), $pairs, static fn () => "pairs $pairs"));
}

/**
 * In each round a new crowd of either side: one differs from the next by more than its own hand-overs do.
 *
 * @return list<list<string>>
 */
function waiting(Bench $bench): array
{
	$rows = [];
	foreach ($bench->quick() ? [8 => 1] : [1 => 40, 8 => 10, 64 => 5, 256 => 3] as $count => $drains) {
		foreach (['process-bound' => Waiting\BOUND, 'lease' => Waiting\LEASE] as $kind => $contender) {
			$comeAgain = in_array($count, [8, 64], true);
			$measured = Bench::turns("$kind, $count waiting", SIDES, $bench->number('rounds', 21, 3),
				static function (string $side) use ($bench, $contender, $count, $drains, $comeAgain): array {
					$crowd = Waiting\crowd($bench, $contender, $count, module: modules($bench)[$side]);
					$crowd->drain(); // warms up
					$handOvers = array_map(static fn () => $crowd->drain()->handOvers(), range(1, $drains));

					return [Statistics::median(array_merge(...$handOvers)), $comeAgain ? turn($crowd) : 0.0];
				});
			$column = static fn ($i) => array_map(static fn ($rounds) => array_column($rounds, $i), $measured);
			$rows[] = row("hand-over, $kind, $count waiting", $column(0));
			if ($comeAgain) {
				$rows[] = row("a turn, $kind, $count who come again", $column(1));
			}
		}
	}

	return $rows;
}

/** From one owner to the next while all come again and again, ns. */
function turn(Crowd $crowd): float
{
	$turns = $crowd->churn(500);

	return $turns->duration() / count($turns);
}

/** @return list<list<string>> */
function execute(Bench $bench): array
{
	$lock = ['unix_socket' => $bench->server()->socket, 'name' => 'bench:before', 'ttl' => 30, 'interval' => 10];
	$modules = modules($bench);
	$rows = [];
	foreach ($bench->quick() ? [16] : [16, 512] as $heap) {
		$job = json_encode(['heap' => $heap, 'calls' => 21, 'lock' => $lock]);
		$what = "execute(), $heap MB";
		$times = Bench::turns($what, SIDES, $bench->number('rounds', 61, 3),
			static function (string $side) use ($bench, $modules, $job): array {
				$calls = json_decode($bench->phpWorker('bound', ['overhead', $job], [$modules[$side]], null)->read());
				$first = array_shift($calls);

				return [...$first, ...array_map(static fn ($i) => Statistics::median(array_column($calls, $i)), [0, 1])];
			});
		foreach (['first, before', 'first, after', 'later, before', 'later, after'] as $i => $part) {
			$rows[] = row("$what, $part", array_map(static fn ($calls) => array_column($calls, $i), $times));
		}
	}

	return $rows;
}

return static function (Bench $bench): void {
	$rows = pairs($bench, false);
	if ($bench->otherCpus() !== (string) $bench->cpu()) {
		array_push($rows, ...pairs($bench, true));
	}
	array_push($rows, quorum($bench), ...waiting($bench), ...execute($bench));
	Markdown::heading('This version and the one before, µs');
	Markdown::note('The ratio is that of the older one\'s time to ours, so more is better. Wanted: at least ' . WANTED
		. '; "unsure" where the 95 % interval of the median reaches that far. Hand-overs and turns as in "waiting", where '
		. 'a turn holds the lock for 1 ms; before and after the callable as in "process_bound".');
	Markdown::table(['', ...SIDES, 'ratio', '95 % of the median', 'rounds', 'verdict'], $rows);
};
