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
function collected(array $command, int $pairs, ?string $function, string $details = '/dev/null'): int
{
	$log = tmpfile();
	$toggle = $function !== null ? ["--toggle-collect=$function"] : [];
	$process = proc_open(['valgrind', '--tool=callgrind', "--callgrind-out-file=$details", ...$toggle, ...$command],
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

/** What each function of the module took by itself. @return array<string, int> */
function byFunction(string $details, string $module): array
{
	[$names, $took, $ours, $function, $skip] = [[], [], false, '', false];
	foreach (file($details) ?: [] as $line) {
		if (preg_match('/^(ob|fn)=\((\d+)\)(?: (.+))?$/', $line, $found)) {
			$name = $names[$found[1]][$found[2]] ??= $found[3];
			if ($found[1] === 'ob') {
				$ours = basename($name) === basename($module);
			} else {
				$function = $name;
			}
		} elseif (str_starts_with($line, 'cfn=') && preg_match('/\((\d+)\) (.+)$/', $line, $found)) {
			$names['fn'][$found[1]] = $found[2];
		} elseif (str_starts_with($line, 'cob=') && preg_match('/\((\d+)\) (.+)$/', $line, $found)) {
			$names['ob'][$found[1]] = $found[2];
		} elseif (str_starts_with($line, 'calls=')) {
			$skip = true;
		} elseif (preg_match('/^(?:[-+]?\d+|\*) (\d+)$/', $line, $found)) {
			if (!$skip && $ours) {
				$took[$function] = ($took[$function] ?? 0) + (int) $found[1];
			}
			$skip = false;
		}
	}

	return $took;
}

/** Our functions that a warm pair enters, those that the compiler has put into others not counted. @param list<string> $command */
function entered(array $command, int $pairs, string $module): int
{
	$details = tempnam(sys_get_temp_dir(), 'rlk');
	$entered = [];
	foreach (['zim_RedisLock_acquire', 'zim_RedisLock_release'] as $function) {
		$took = [];
		foreach ([SHORT, SHORT + $pairs] as $count) {
			collected($command, $count, $function, $details);
			$took[] = byFunction($details, $module);
		}
		$entered += array_filter($took[1], static fn (int $cost, string $name): bool => $cost > ($took[0][$name] ?? 0), ARRAY_FILTER_USE_BOTH);
	}
	unlink($details);

	return count($entered);
}

return static function (Bench $bench): void {
	$pairs = $bench->number('pairs', 2000, 200);
	$server = $bench->server();
	$place = ['tcp', '127.0.0.1', (string) $server->port];
	$module = $bench->module() ?? throw new \RuntimeException('the extension is not built: scripts/build.sh');
	$worker = static fn (string $mode): array => [PHP_BINARY, '-n', '-d', "extension=$module",
		dirname(__DIR__) . '/workers/pairs.php', 'redislock', $mode, ...$place];
	$rows = [];
	foreach (['kept' => 'lease, kept connection', 'bound' => 'process-bound, kept connection',
		'permits' => 'lease, one of 4 permits, kept connection', 'shared' => 'lease, shared, kept connection'] as $mode => $what) {
		$rows[] = [$what, perPair($worker($mode), $pairs, 'zim_RedisLock_acquire'),
			perPair($worker($mode), $pairs, 'zim_RedisLock_release'), perPair($worker($mode), $pairs),
			(string) entered($worker($mode), $pairs, $module)];
	}
	foreach (['persistent' => 'lease, new object, connection that stays',
		'new' => 'lease, new object and connection'] as $mode => $what) {
		$rows[] = [$what, '', '', perPair($worker($mode), $pairs), ''];
	}
	foreach (['kept' => 'C, hiredis, kept connection', 'new' => 'C, hiredis, new connection'] as $mode => $what) {
		$rows[] = [$what, '', '', perPair([$bench->floor(), 'hiredis', $mode, ...$place], $pairs), ''];
	}
	Bench::progress('');
	Markdown::heading('Instructions in the client, TCP on loopback');
	Markdown::note("Counted by valgrind over $pairs calls, the system's own not included. A pair is with the loop around it. Functions: ours that a pair enters.");
	Markdown::table(['', 'acquire', 'release', 'pair', 'functions'], $rows);
};
