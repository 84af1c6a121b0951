<?php
/*
 * list: what "redislock list" costs: processor and memory in the client, and how long the server is busy with one command.
 * Others wait for no longer than that.
 */
declare(strict_types=1);

namespace Bench\Tables\ListOfLocks;

use Bench\Bench;
use Bench\Markdown;
use Bench\Server;
use Bench\Statistics;

const COMMANDS = ['scan', 'getrange', 'pttl', 'exists'];
/** Microseconds of server time from which a command is remembered. */
const SLOW = 1000;
/** Keys that are made by one command. */
const PART = 1000;

/** @return array{float, float, int} seconds of processor, MB, locks */
function listing(Bench $bench, Server $server, string $autoload, string ...$more): array
{
	$module = $bench->module() ?? throw new \RuntimeException('the extension is not built: scripts/build.sh');
	$flags = [];
	foreach ([$module, ...$bench->shared('pcntl', 'mbstring', 'ctype', 'tokenizer')] as $extension) {
		array_push($flags, '-d', "extension=$extension");
	}
	$process = proc_open([PHP_BINARY, '-n', ...$flags, $bench->worker('list'), $autoload, '--server', "unix:$server->socket", ...$more],
		[['file', '/dev/null', 'r'], $out = tmpfile(), $said = tmpfile()], $pipes);
	$text = proc_close($process) === 0 ? (string) file_get_contents(stream_get_meta_data($said)['uri']) : '';
	if (!preg_match('/^([\d.]+) ([\d.]+)$/', trim($text), $used)) {
		throw new \RuntimeException("redislock list has failed: $text");
	}

	return [(float) $used[1], (float) $used[2], substr_count((string) file_get_contents(stream_get_meta_data($out)['uri']), "\n")];
}

/** In parts, each of which a busy machine has done before we give up waiting for the answer. */
function fill(Server $server, string $script, int $keys): void
{
	for ($first = 1; $first <= $keys; $first += PART) {
		$server->command('EVAL', "for i = ARGV[1], ARGV[2] do $script end", '0', (string) $first, (string) min($first + PART - 1, $keys), 'rlk1:host:1:bench:' . str_repeat('0', 32));
	}
}

/** @return list<string> */
function row(Bench $bench, string $autoload, int $locks, int $others): array
{
	$server = $bench->anotherServer();
	fill($server, "redis.call('SET', 'lock:' .. i, ARGV[3], 'PX', 3600000)", $locks);
	fill($server, "redis.call('SET', 'other:' .. i, i)", $others);
	$server->command('CONFIG', 'SET', 'slowlog-log-slower-than', (string) SLOW);
	$server->command('SLOWLOG', 'RESET');
	$before = $server->counters();
	[$processor, $memory] = [[], []];
	$rounds = $bench->number('rounds', 11, 2);
	for ($i = 0; $i < $rounds; $i++) {
		Bench::progress("$locks locks, $i");
		[$processor[], $memory[], $listed] = listing($bench, $server, $autoload, '--json');
		if ($listed !== $locks) {
			throw new \RuntimeException("$listed of $locks locks were listed");
		}
	}
	$after = $server->counters();
	$took = [];
	foreach (COMMANDS as $command) {
		$calls = ($after["cmdstat_$command"] ?? 0) - ($before["cmdstat_$command"] ?? 0);
		$took[] = $calls === 0 ? '' : sprintf('%.1f', (($after["usec_$command"] ?? 0) - ($before["usec_$command"] ?? 0)) / $calls);
	}

	return [number_format($locks, 0, '.', ' '), number_format($others, 0, '.', ' '), sprintf('%.2f', Statistics::median($processor)),
		sprintf('%.0f', Statistics::median($memory)), ...$took, (string) $server->command('SLOWLOG', 'LEN')];
}

return static function (Bench $bench): void {
	$autoload = $bench->frameworks()[0] ?? null;
	if ($autoload === null) {
		return;
	}
	$rows = [];
	foreach ($bench->quick() ? [[1000, 0], [10_000, 0]] : [[1000, 0], [10_000, 0], [10_000, 90_000], [100_000, 0]] as [$locks, $others]) {
		$rows[] = row($bench, $autoload, $locks, $others);
	}
	Bench::progress('');
	Markdown::heading('redislock list');
	Markdown::note('Client: seconds of processor, the start of PHP included, and MB; medians. Server: µs a call, and how many calls took a millisecond or more.');
	Markdown::table(['locks', 'other keys', 's', 'MB', ...array_map(strtoupper(...), COMMANDS), '>= 1 ms'], $rows);
};
