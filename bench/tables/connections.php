<?php
/*
 * connections: what it costs to come by a connection, and what releases cost the server.
 *
 * Pairs per second as in pairs.php: in web requests every object is new and the connection stays. Then the server's own
 * account of a release, by script and, where it has them, by its compare commands; the same extension both times, once
 * as a user who may not ask which commands there are.
 */
declare(strict_types=1);

namespace Bench\Tables\Connections;

use Bench\Bench;
use Bench\Markdown;
use Bench\Process;
use Bench\Statistics;

/** @return array<string, Process> */
function contenders(Bench $bench, string $transport): array
{
	$server = $bench->server();
	$address = $transport === 'unix' ? $server->socket : '127.0.0.1';
	$place = [$transport, $address, (string) ($transport === 'unix' ? 0 : $server->port)];
	$cpu = $bench->cpu();
	$module = $bench->module() ?? throw new \RuntimeException('the extension is not built: scripts/build.sh');
	$workers = [
		'C, connects' => new Process([$bench->floor(), 'hiredis', 'new', ...$place], $cpu),
		'redislock, kept' => $bench->phpWorker('pairs', ['redislock', 'kept', ...$place], [$module], $cpu),
		'redislock, persistent' => $bench->phpWorker('pairs', ['redislock', 'persistent', ...$place], [$module], $cpu),
		'redislock, connects' => $bench->phpWorker('pairs', ['redislock', 'new', ...$place], [$module], $cpu),
	];
	if (($modules = $bench->phpredis()) !== null) {
		$workers['phpredis, kept'] = $bench->phpWorker('pairs', ['phpredis', 'kept', ...$place], $modules, $cpu);
		$workers['phpredis, pconnect'] = $bench->phpWorker('pairs', ['phpredis', 'persistent', ...$place], $modules, $cpu);
	}

	return $workers;
}

/** Who is compared with whom, and what is wanted of the ratio. */
const COMPARED = [
	'redislock, persistent' => ['redislock, kept', 0.97],
	'redislock, connects' => ['C, connects', 1.00],
	'phpredis, pconnect' => ['phpredis, kept', null],
];

function pairs(Bench $bench, string $transport): void
{
	$rounds = $bench->number('rounds', 31, 5);
	$pairs = $bench->number('pairs', 1500, 100);
	$workers = contenders($bench, $transport);
	$times = Bench::rounds($workers, $rounds, $pairs);
	$rows = [];
	foreach ($times as $name => $own) {
		$row = [$name, number_format(1e9 / Statistics::median($own), 0, '.', ' '), '', '', ''];
		if (isset(COMPARED[$name])) {
			[$other, $wanted] = COMPARED[$name];
			$ratio = Statistics::median(array_map(static fn ($theirs, $ours) => $theirs / $ours, $times[$other], $own));
			$row[2] = $other;
			$row[3] = sprintf('%.3f', $ratio);
			$row[4] = $wanted === null ? '' : ($ratio >= $wanted ? 'PASS' : 'FAIL') . sprintf(' (%.2f)', $wanted);
		}
		$rows[] = $row;
	}
	Markdown::heading('Pairs per second, ' . ($transport === 'tcp' ? 'TCP on loopback' : 'unix socket'));
	Markdown::note("$rounds rounds of $pairs pairs; client and server on CPU {$bench->cpu()}.");
	Markdown::table(['client', 'pairs/s', 'compared with', 'ratio, median', 'verdict (wanted)'], $rows);
}

/** Seconds of CPU the server has used. */
function serverCpu(Bench $bench): float
{
	preg_match_all('/^used_cpu_(?:user|sys):([\d.]+)/m', $bench->server()->command('INFO', 'cpu'), $found);

	return array_sum($found[1]);
}

/** @return array{array<string, float>, float}  the server's us for each command, and of its CPU, per pair */
function release(Bench $bench, Process $worker, int $pairs): array
{
	$worker->ask('100');
	$before = $bench->server()->counters();
	$cpu = serverCpu($bench);
	$worker->ask((string) $pairs);
	$cpu = serverCpu($bench) - $cpu;
	$after = $bench->server()->counters();
	$microseconds = [];
	foreach (['evalsha', 'delex', 'delifeq', 'exists'] as $command) {
		$microseconds[$command] = (($after["usec_$command"] ?? 0) - ($before["usec_$command"] ?? 0)) / $pairs;
	}

	return [$microseconds, $cpu * 1e6 / $pairs];
}

function releases(Bench $bench): void
{
	$server = $bench->server();
	foreach (['asks' => [], 'script' => ['-command']] as $user => $not) {
		$server->command('ACL', 'SETUSER', $user, 'on', '>bench', '~*', '+@all', ...$not);
	}
	$place = ['redislock', 'kept', 'unix', $server->socket, '0'];
	$workers = [];
	foreach (['script', 'asks'] as $user) {
		$workers[$user] = $bench->phpWorker('pairs', [...$place, $user], [$bench->module()], $bench->cpu());
	}
	$rounds = $bench->number('rounds', 15, 3);
	$pairs = $bench->number('pairs', 20000, 1000);
	$time = $alone = $cpu = [];
	for ($round = 0; $round < $rounds; $round++) {
		Bench::progress(sprintf('releases, round %d of %d', $round + 1, $rounds));
		[$script, $script_cpu] = release($bench, $workers['script'], $pairs);
		[$native, $native_cpu] = release($bench, $workers['asks'], $pairs);
		$delete = $native['delex'] + $native['delifeq'];
		if ($delete == 0) {
			Bench::progress('');
			Markdown::note('This server has no compare commands.');

			return;
		}
		$alone[] = $delete / $script['evalsha'];
		$time[] = ($delete + $native['exists']) / $script['evalsha'];
		$cpu[] = $native_cpu / $script_cpu;
	}
	Bench::progress('');
	Markdown::heading('A release by compare command instead of script, for the server');
	Markdown::note("$rounds rounds of $pairs pairs each, unix socket; medians of the ratios of command time and of CPU.");
	$rows = [];
	foreach (['the delete alone' => [$alone, 0.25], 'with the look for waiters' => [$time, 0.40], 'CPU for a whole pair' => [$cpu, 0.90]] as
		$what => [$ratios, $wanted]) {
		$ratio = Statistics::median($ratios);
		$rows[] = [$what, sprintf('%.3f', $ratio), ($ratio <= $wanted ? 'PASS' : 'FAIL') . sprintf(' (%.2f)', $wanted)];
	}
	Markdown::table(['', 'ratio to the script', 'verdict (wanted)'], $rows);
}

return static function (Bench $bench): void {
	pairs($bench, 'tcp');
	pairs($bench, 'unix');
	releases($bench);
};
