<?php
/*
 * server_time: what a release costs the server, by its own count, beside the plain compare-and-delete that wakes
 * nobody. The rest of a request (reading, parsing, answering) is the same for all and not in it.
 */
declare(strict_types=1);

namespace Bench\Tables\Waiting;

use Bench\Bench;
use Bench\Markdown;
use Bench\Server;
use Bench\Statistics;

const PLAIN = "if redis.call('get',KEYS[1]) == ARGV[1] then return redis.call('del',KEYS[1]) else return 0 end";

/** Microseconds of a release, on the average of some. @param list<string> $keys */
function releaseTime(Server $server, string $sha, array $keys, bool $awaited, int $releases): float
{
	[$key, $mark, $signal] = ['bench:release', '{bench:release}:rlk:waiters', '{bench:release}:rlk:signal'];
	$token = 'rlk1:host:4711::' . bin2hex(random_bytes(16));
	$server->command('DEL', $mark, $signal);
	if ($awaited) {
		$server->command('SET', $mark, '');
	}
	$before = $server->counters();
	for ($i = 0; $i < $releases; $i++) {
		$server->command('SET', $key, $token, 'NX', 'PX', '30000');
		if ($server->command('EVALSHA', $sha, (string) count($keys), ...[...$keys, $token]) !== 1) {
			throw new \RuntimeException('a release was refused');
		}
		if ($awaited) {
			// What the waiter's BLPOP does.
			$server->command('DEL', $signal);
		}
	}

	return ($server->counters()['usec_evalsha'] - ($before['usec_evalsha'] ?? 0)) / $releases;
}

function serverTime(Bench $bench): void
{
	$rounds = $bench->number('rounds', 15, 2);
	$releases = $bench->quick() ? 200 : 1000;
	$server = $bench->server();
	$ours = (string) shell_exec('php -n ' . escapeshellarg(dirname(__DIR__, 3) . '/scripts/dev/embed-lua.php') . ' --print release');
	$three = ['bench:release', '{bench:release}:rlk:waiters', '{bench:release}:rlk:signal'];
	$plain = $server->command('SCRIPT', 'LOAD', PLAIN);
	$sha = $server->command('SCRIPT', 'LOAD', $ours);
	$kinds = [
		'plain compare and delete' => [$plain, ['bench:release'], false],
		'redislock, nobody waits' => [$sha, $three, false],
		'redislock, somebody waits' => [$sha, $three, true],
	];
	$times = [];
	for ($round = 0; $round < $rounds; $round++) {
		Bench::progress('release, round ' . ($round + 1) . " of $rounds");
		foreach ($kinds as $kind => $how) {
			$times[$kind][] = releaseTime($server, ...[...$how, $releases]);
		}
	}
	$rows = [];
	$plain = $times['plain compare and delete'];
	foreach ($times as $kind => $own) {
		$ratio = Statistics::median(array_map(static fn ($a, $b) => $a / $b, $own, $plain));
		$rows[] = [$kind, sprintf('%.2f', Statistics::median($own)), sprintf('%.2f', $ratio)];
	}
	Markdown::heading("The server's time for one release, µs");
	Markdown::note("$rounds rounds of $releases EVALSHA each, by INFO commandstats.");
	Markdown::table(['', 'median', 'ratio'], $rows);
	$bench->save('server_time', $times);
}
