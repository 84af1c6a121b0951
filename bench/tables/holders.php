<?php
/*
 * holders: what many processes cost that each hold a process-bound lock, and whether that grows linearly.
 */
declare(strict_types=1);

namespace Bench\Tables\Holders;

use Bench\Bench;
use Bench\Markdown;
use Bench\Statistics;

/** CPU time in ns, of the server and of each child. @param list<int> $pids */
function cpu(array $pids): array
{
	return array_map(static fn (int $pid) => (int) strtok((string) file_get_contents("/proc/$pid/schedstat"), ' '), $pids);
}

/** The value of a field of INFO. */
function info(Bench $bench, string $field): float
{
	preg_match("/^$field:([\d.]+)/m", (string) $bench->server()->command('INFO', 'everything'), $match);

	return (float) $match[1];
}

/** @param list<int> $parents @return list<int>  the renewal child of each */
function children(array $parents): array
{
	$wanted = array_flip($parents);
	$children = [];
	foreach (glob('/proc/[0-9]*/stat') as $file) {
		$stat = (string) @file_get_contents($file);
		// Fields 4, the parent, and 38, the signal of its end, are counted behind the name.
		$fields = explode(' ', substr($stat, (int) strrpos($stat, ')') + 2));
		if (isset($wanted[(int) ($fields[1] ?? 0)]) && (int) ($fields[35] ?? 0) === SIGURG) {
			$children[] = (int) $stat;
		}
	}

	return $children;
}

function privateKilobytes(int $pid): int
{
	preg_match_all('/^Private_\w+:\s+(\d+) kB$/m', (string) file_get_contents("/proc/$pid/smaps_rollup"), $private);

	return array_sum($private[1]);
}

function await(callable $condition, string $what): void
{
	for ($deadline = hrtime(true) + 60e9; !$condition(); usleep(20000)) {
		if (hrtime(true) > $deadline) {
			throw new \RuntimeException("$what did not come about");
		}
	}
}

/** @return list<string>  a row of the table */
function row(Bench $bench, string $module, int $holders, float $interval, int $intervals): array
{
	Bench::progress("$holders holders, " . $interval * $intervals . ' s');
	$server = $bench->server()->pid();
	$memory = info($bench, 'used_memory');
	$leader = $bench->phpWorker('holders', [$bench->server()->socket, (string) $holders, (string) ($interval * 3), (string) $interval],
		[...$bench->shared('pcntl', 'posix'), $module], null);
	$pids = json_decode($leader->read(), true, flags: JSON_THROW_ON_ERROR);
	// Beside the driver's own connection, one of each process and one of its child.
	await(fn () => info($bench, 'connected_clients') >= 1 + 2 * $holders, "a connection of each of $holders children");
	$connections = (int) info($bench, 'connected_clients') - 1;
	$memory = info($bench, 'used_memory') - $memory;
	$children = children($pids);
	$before = [cpu([$server]), cpu($children), info($bench, 'total_commands_processed')];
	usleep((int) ($interval * $intervals * 1e6));
	$after = [cpu([$server]), cpu($children), info($bench, 'total_commands_processed')];
	$seconds = $interval * $intervals;
	$private = array_map(privateKilobytes(...), $children);
	$held = $bench->server()->command('DBSIZE');
	if ($held !== $holders || count($children) !== $holders) {
		throw new \RuntimeException("of $holders holders $held held their locks, with " . count($children) . ' children');
	}
	$killed = (int) $leader->ask('');
	await(fn () => $bench->server()->command('DBSIZE') === 0, 'the release of all locks');
	$released = (hrtime(true) - $killed) / 1e6;
	$leader->stop();
	await(fn () => (int) info($bench, 'connected_clients') === 1, 'the end of all connections');

	return [number_format($holders, 0, '.', ' '), number_format($connections / $holders, 2), number_format($memory / $holders / 1024, 1),
		number_format(Statistics::median($private), 0),
		number_format(($after[2] - $before[2]) / $seconds / $holders * $interval, 2),
		sprintf('%.2f %%', ($after[0][0] - $before[0][0]) / $seconds / 1e7),
		number_format(($after[0][0] - $before[0][0]) / $seconds / 1e3 / $holders * $interval, 0),
		number_format((array_sum($after[1]) - array_sum($before[1])) / $seconds / 1e3 / $holders * $interval, 0),
		number_format($released, 0, '.', ' ')];
}

return static function (Bench $bench): void {
	$module = $bench->module();
	if ($module === null) {
		return;
	}
	$interval = $bench->quick() ? 1.0 : 10.0;
	$rows = [];
	foreach ($bench->quick() ? [10, 30] : [100, 300, 1000] as $holders) {
		$rows[] = row($bench, $module, $holders, $interval, 3);
	}
	Bench::progress('');
	Markdown::heading('Many processes that each hold a process-bound lock');
	Markdown::note("Three intervals of $interval s, ttl " . $interval * 3 . ' s, one server on a unix socket. A holder: its connections, '
		. 'the memory it takes of the server, and the private memory of its child. A renewal: the commands that the server counts, with '
		. 'what the script calls, and the CPU time it takes of the server and of the child, in µs. The share of one '
		. 'core that the server is busy. From SIGKILL of all holders until no lock is left, in ms. Linear: a column of a holder or '
		. 'a renewal does not grow from row to row.');
	Markdown::table(['holders', 'connections', 'server, kB', 'child, kB', 'commands', 'server busy', 'a renewal, server', 'child',
		'all killed, all free'], $rows);
};
