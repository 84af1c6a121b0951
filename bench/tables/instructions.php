<?php
/*
 * instructions: how many a pair takes in the client, by valgrind's count.
 *
 * The same on every run, so that a change that makes pairs dearer shows where times would hide it. What starts PHP and
 * connects is taken off: each figure is the difference of a long and a short run.
 */
declare(strict_types=1);

namespace Bench\Tables\Instructions;

use Bench\Bench;
use Bench\Markdown;

const SHORT = 100;

/** What one run took, in the function alone when one is named. @param list<string> $command */
function collected(array $command, int $pairs, ?string $function): int
{
	$log = tmpfile();
	$toggle = $function !== null ? ["--toggle-collect=$function"] : [];
	$process = proc_open(['valgrind', '--tool=callgrind', '--callgrind-out-file=/dev/null', ...$toggle, ...$command],
		[['pipe', 'r'], ['file', '/dev/null', 'w'], $log], $pipes);
	if ($process === false) {
		throw new \RuntimeException('valgrind cannot be started: apt-get install valgrind');
	}
	$pid = proc_get_status($process)['pid'];
	fwrite($pipes[0], "$pairs\n");
	fclose($pipes[0]);
	$status = proc_close($process);
	// A renewal child has a number of its own to tell.
	$text = (string) file_get_contents(stream_get_meta_data($log)['uri']);
	if ($status !== 0 || !preg_match("/^==$pid== Collected : (\d+)/m", $text, $found)) {
		throw new \RuntimeException("valgrind has counted nothing: $text");
	}

	return (int) $found[1];
}

/** @param list<string> $command */
function perPair(array $command, int $pairs, ?string $function = null): string
{
	Bench::progress($command[0] . ' ' . ($function ?? 'pair'));
	$more = collected($command, SHORT + $pairs, $function) - collected($command, SHORT, $function);

	return number_format($more / $pairs, 0, '.', ' ');
}

return static function (Bench $bench): void {
	$pairs = $bench->number('pairs', 2000, 200);
	$server = $bench->server();
	$place = ['tcp', '127.0.0.1', (string) $server->port];
	$module = $bench->module() ?? throw new \RuntimeException('the extension is not built: scripts/build.sh');
	$worker = static fn (string $mode): array => [PHP_BINARY, '-n', '-d', "extension=$module",
		dirname(__DIR__) . '/workers/pairs.php', 'redislock', $mode, ...$place];
	$rows = [];
	foreach (['kept' => 'lease, kept connection', 'bound' => 'process-bound, kept connection'] as $mode => $what) {
		$rows[] = [$what, perPair($worker($mode), $pairs, 'zim_RedisLock_acquire'),
			perPair($worker($mode), $pairs, 'zim_RedisLock_release'), perPair($worker($mode), $pairs)];
	}
	foreach (['async' => 'lease, release_async', 'persistent' => 'lease, new object, connection that stays',
		'new' => 'lease, new object and connection'] as $mode => $what) {
		$rows[] = [$what, '', '', perPair($worker($mode), $pairs)];
	}
	foreach (['kept' => 'C, hiredis, kept connection', 'new' => 'C, hiredis, new connection'] as $mode => $what) {
		$rows[] = [$what, '', '', perPair([$bench->floor(), 'hiredis', $mode, ...$place], $pairs)];
	}
	Bench::progress('');
	Markdown::heading('Instructions in the client, TCP on loopback');
	Markdown::note("Counted by valgrind over $pairs calls, the system's own not included. A pair is with the loop around it.");
	Markdown::table(['', 'acquire', 'release', 'pair'], $rows);
};
