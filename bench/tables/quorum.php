<?php
/*
 * quorum: locks on five servers: what they cost when all are well, when two of them are silent, hang in connect or
 * refuse, and when three do; and whether a slow server is left with a key.
 */
declare(strict_types=1);

namespace Bench\Tables\Quorum;

use Bench\Bench;
use Bench\Markdown;
use Bench\Process;
use Bench\Server;
use Bench\Statistics;

const FLOOR = 'C, all at once, majority';
const SERVERS = 5;
const LIMIT = '0.05';
/* Where all are well, nobody is to be given up on a busy machine. */
const PATIENCE = '5';

/** @return list<Server> */
function servers(Bench $bench): array
{
	return array_map(static fn () => $bench->anotherServer(), range(1, SERVERS));
}

/** A port to which connecting takes for ever: the queue of its listener is full. @return array{int, list<resource>} */
function blackHole(): array
{
	$listener = stream_socket_server('tcp://127.0.0.1:0', $code, $text, STREAM_SERVER_BIND | STREAM_SERVER_LISTEN,
		stream_context_create(['socket' => ['backlog' => 0]]));
	$port = (int) substr(strrchr(stream_socket_get_name($listener, false), ':'), 1);
	$held = [$listener];
	for ($i = 0; $i < 16; $i++) {
		$held[] = $s = stream_socket_client("tcp://127.0.0.1:$port", $code, $text, 1,
			STREAM_CLIENT_CONNECT | STREAM_CLIENT_ASYNC_CONNECT);
		$read = $except = null;
		$write = [$s];
		if (stream_select($read, $write, $except, 0, 50000) === 0) {
			return [$port, $held];
		}
	}
	throw new \RuntimeException('the queue of a listener does not fill up');
}

/** @return array<string, Process> */
function contenders(Bench $bench, string $ports): array
{
	$cpu = null;
	$floor = static fn ($mode) => new Process([$bench->floorQuorum(), $mode, ...explode(',', $ports)], $cpu);
	$workers = [FLOOR => $floor('majority')];
	if (($module = $bench->module()) !== null) {
		$workers['redislock'] = $bench->phpWorker('quorum', ['redislock', PATIENCE, $ports], [$module], $cpu);
	}
	$workers['C, all at once, waits for all'] = $floor('all');
	$workers['C, one after the other'] = $floor('sequential');
	if (($modules = $bench->phpredis()) !== null) {
		$workers['phpredis, one after the other'] = $bench->phpWorker('quorum', ['phpredis', PATIENCE, $ports], $modules, $cpu);
	}
	if (($autoloader = $bench->package('predis/predis')) !== null) {
		$workers['Predis, one after the other'] =
			$bench->phpWorker('quorum', ['predis', PATIENCE, $ports, $autoloader], [], $cpu);
	}

	return $workers;
}

function healthy(Bench $bench): void
{
	$rounds = $bench->number('rounds', 31, 5);
	$pairs = $bench->number('pairs', 1000, 100);
	$servers = servers($bench);
	$workers = contenders($bench, implode(',', array_map(static fn ($s) => $s->port, $servers)));
	$times = Bench::rounds($workers, $rounds, $pairs,
		static fn ($name) => str_starts_with($name, 'C') ? (string) $pairs : "pairs $pairs");
	$rows = $ratios = [];
	foreach ($times as $name => $own) {
		$ratio = array_map(static fn ($floor, $time) => $time / $floor, $times[FLOOR], $own);
		$ratios[$name] = Statistics::median($ratio);
		$rows[$name] = [$name, sprintf('%.0f µs', Statistics::median($own) / 1000), sprintf('%.2f', $ratios[$name]),
			sprintf('%.2f', Statistics::quantile($ratio, 0.75)), ''];
	}
	if (isset($rows['redislock'])) {
		$fastest = min($ratios['phpredis, one after the other'] ?? INF, $ratios['Predis, one after the other'] ?? INF);
		$rows['redislock'][4] = $ratios['redislock'] <= 1.2 && $fastest / $ratios['redislock'] >= 3 ? 'PASS' : 'FAIL';
	}
	Markdown::heading('A lock on five servers and its release, all well');
	Markdown::note("$rounds rounds of $pairs pairs. Wanted of redislock: at most 1.20 times the floor, and three times as " .
		'fast as PHP libraries that ask one server after the other.');
	Markdown::table(['client', 'pair', 'times the floor', 'upper quartile', 'verdict'], array_values($rows));
}

/** Takes $down of the servers away; the ports to use, and what brings them back. */
function takeAway(array $servers, string $way, int $down): array
{
	$ports = array_map(static fn ($s) => $s->port, $servers);
	$held = [];
	for ($i = 0; $i < $down; $i++) {
		if ($way === 'silent') {
			$servers[$i]->signal(SIGSTOP);
		} elseif ($way === 'hanging in connect') {
			[$ports[$i], $held[]] = blackHole();
		} else {
			$probe = stream_socket_server('tcp://127.0.0.1:0');
			$ports[$i] = (int) substr(strrchr(stream_socket_get_name($probe, false), ':'), 1);
			fclose($probe);
		}
	}
	$back = static function () use ($servers, $way, $down, &$held): void {
		for ($i = 0; $i < $down && $way === 'silent'; $i++) {
			$servers[$i]->signal(SIGCONT);
		}
		$held = [];
	};

	return [implode(',', $ports), $back];
}

function ms(float $ns): string
{
	return sprintf($ns < 1e6 ? '%.2f ms' : '%.1f ms', $ns / 1e6);
}

function down(Bench $bench): void
{
	$module = $bench->module();
	if ($module === null) {
		return;
	}
	$pairs = $bench->number('pairs', 2000, 200);
	$firsts = $bench->number('rounds', 101, 11);
	$servers = servers($bench);
	$pids = implode(',', array_map(static fn ($s) => $s->pid(), $servers));
	$rows = [];
	foreach (['', 'silent', 'hanging in connect', 'refusing'] as $way) {
		foreach ($way === '' ? [0] : [2, 3] as $down) {
			Bench::progress("$down of 5 $way");
			[$ports, $back] = takeAway($servers, $way, $down);
			$worker = $bench->phpWorker('quorum', ['redislock', LIMIT, $ports, $pids], [$module], null);
			$first = [];
			for ($i = 0; $i < ($down < 3 ? $firsts : 11); $i++) {
				$first[] = (float) str_replace('refused ', '', $worker->ask('first'));
			}
			[$each, $waits] = array_map(static fn ($list) => array_map(floatval(...), explode(' ', $list)),
				explode(';', $worker->ask('each ' . ($down < 3 ? $pairs : 40))));
			unset($worker);
			$back();
			/* What is left of each without the time for which this machine had no CPU to give. */
			$own = max(array_map(static fn ($time, $wait) => max(0, $time - $wait), $each, $waits));
			$median = Statistics::median($first);
			$p99 = Statistics::quantile($each, 0.99);
			$ok = $down < 3 ? $median <= 1e6 && $p99 <= 1e6 && $own <= 10e6 : Statistics::median($each) <= 55e6 &&
				$median <= 55e6;
			$rows[] = [$down === 0 ? 'all there' : "$down of 5 $way", ms($median), ms(Statistics::median($each)), ms($p99),
				ms(max($each)), ms($own),
				$down === 0 ? '' : ($ok ? 'PASS' : 'FAIL')];
		}
	}
	Bench::progress('');
	Markdown::heading('Lock and release with servers that do not answer');
	Markdown::note("The first call on fresh objects, connecting included; then $pairs pairs on one. Time limit of a server " .
		'50 ms. Wanted: with two of five away a first call of at most 1 ms in the median, later ones of at most 1 ms at ' .
		'p99 and 10 ms altogether; with three of five, which is refused, one time limit. The last maximum is of what is ' .
		'left without the time for which client or server were ready to run and had no CPU; the verdict goes by that one.');
	Markdown::table(['', 'first, median', 'later, median', 'p99', 'maximum', 'maximum, not waiting for a CPU', 'verdict'],
		$rows);
}

function nothingLeft(Bench $bench): void
{
	$module = $bench->module();
	if ($module === null) {
		return;
	}
	$runs = $bench->number('pairs', 2000, 200);
	$servers = servers($bench);
	$ports = implode(',', array_map(static fn ($s) => $s->port, $servers));
	$worker = $bench->phpWorker('quorum', ['redislock', LIMIT, $ports], [$module], null);
	$left = 0;
	for ($i = 0; $i < $runs; $i++) {
		/* Stopped for a moment at any point of the pair, in every tenth for longer than the time limit. */
		$servers[$i % 2]->signal(SIGSTOP);
		$servers[4]->signal(SIGSTOP);
		$worker->write('each 1');
		usleep($i % 10 === 0 ? 60000 : random_int(0, 400));
		$servers[$i % 2]->signal(SIGCONT);
		$servers[4]->signal(SIGCONT);
		$worker->read();
	}
	$worker->ask('each 1');
	unset($worker);
	usleep(200000);
	foreach ($servers as $server) {
		$left += $server->command('DBSIZE');
	}
	Markdown::heading('Keys left on servers that are slow');
	Markdown::note("$runs locks and releases, with two of five servers stopped for 0 to 60 ms meanwhile. Wanted: none.");
	Markdown::table(['runs', 'keys left', 'verdict'], [[(string) $runs, (string) $left, $left === 0 ? 'PASS' : 'FAIL']]);
}

return static function (Bench $bench): void {
	healthy($bench);
	down($bench);
	nothingLeft($bench);
};
