<?php
/*
 * pairs: acquire+release pairs per second, over a kept connection and with a new object per pair, over TCP
 * and a unix socket.
 *
 * All contenders do their pairs one after the other in every round, and each is compared with the floor of
 * the same round, so that a machine that grows slower or faster meanwhile treats them alike. The order
 * rotates from round to round, since the first of a round may find colder caches.
 */
declare(strict_types=1);

namespace Bench\Tables\Pairs;

use Bench\Bench;
use Bench\Markdown;
use Bench\Process;
use Bench\Statistics;

const FLOOR = 'C, hiredis';

/** Starts the contenders of one table. @return array<string, Process> */
function contenders(Bench $bench, string $mode, string $transport): array
{
	$server = $bench->server();
	$address = $transport === 'unix' ? $server->socket : '127.0.0.1';
	$place = [$mode, $transport, $address, (string) ($transport === 'unix' ? 0 : $server->port)];
	$cpu = $bench->cpu();
	$workers = [
		FLOOR => new Process([$bench->floor(), 'hiredis', ...$place], $cpu),
		'C, no library' => new Process([$bench->floor(), 'bare', ...$place], $cpu),
	];
	if (($modules = $bench->phpredis()) !== null) {
		$workers['phpredis'] = $bench->phpWorker('pairs', ['phpredis', ...$place], $modules, $cpu);
	}
	if (($autoloader = $bench->package('predis/predis')) !== null) {
		$workers['Predis'] = $bench->phpWorker('pairs', ['predis', ...$place, $autoloader], [], $cpu);
	}
	if (($module = $bench->module()) !== null) {
		$workers['redislock'] = $bench->phpWorker('pairs', ['redislock', ...$place], [$module], $cpu);
	}

	return $workers;
}

/** What the project has set itself for kept connections; the others are shown without a verdict. */
function verdict(string $name, float $median, float $lower, array $medians): string
{
	if ($name !== 'redislock') {
		return '';
	}
	$others = max($medians['phpredis'] ?? 0, $medians['Predis'] ?? 0);

	return $median >= 1.0 && $lower >= 0.98 && $median > $others ? 'PASS' : 'FAIL';
}

return static function (Bench $bench): void {
	$rounds = $bench->number('rounds', 31, 5);
	foreach (['kept', 'new'] as $mode) {
		foreach (['tcp', 'unix'] as $transport) {
			$pairs = $bench->number('pairs', $mode === 'kept' ? 3000 : 500, 200);
			$times = Bench::rounds(contenders($bench, $mode, $transport), $rounds, $pairs);
			$ratios = $medians = $rows = [];
			foreach ($times as $name => $own) {
				$ratios[$name] = array_map(static fn ($floor, $time) => $floor / $time, $times[FLOOR], $own);
				$medians[$name] = Statistics::median($ratios[$name]);
			}
			foreach ($times as $name => $own) {
				$lower = Statistics::quantile($ratios[$name], 0.25);
				$rows[] = [$name, number_format(1e9 / Statistics::median($own), 0, '.', ' '),
					sprintf('%.3f', $medians[$name]), sprintf('%.3f', $lower),
					$mode === 'kept' ? verdict($name, $medians[$name], $lower, $medians) : ''];
			}
			Markdown::heading(sprintf('Pairs per second, %s, %s',
				$mode === 'kept' ? 'kept connection' : 'new object and connection for each pair',
				$transport === 'tcp' ? 'TCP on loopback' : 'unix socket'));
			Markdown::note("$rounds rounds of $pairs pairs; client and server on CPU {$bench->cpu()}." . ($mode === 'kept'
				? ' Wanted of redislock: median at least 1.00, lower quartile at least 0.98, ahead of phpredis and Predis.'
				: ''));
			Markdown::table(['client', 'pairs/s', 'ratio, median', 'lower quartile', 'verdict'], $rows);
		}
	}
};
