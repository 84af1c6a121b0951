<?php
/*
 * contenders: who can be had as a crowd of waiters.
 */
declare(strict_types=1);

namespace Bench\Tables\Waiting;

use Bench\Bench;
use Bench\Crowd;
use Bench\Process;
use Bench\Statistics;

const FLOOR = 'C, hiredis';
const FLOOR_LEASE = 'C, hiredis, for a lease';
const BOUND = 'redislock, process-bound';
const LEASE = 'redislock, lease';
const PERMITS = 'redislock, process-bound, one of 4 permits';
const CORE = 'redislock without PHP';
const HOLD_US = 1000;

/** How often those who are not woken look, s. The others are kept by the server. */
const PAUSES = ['phpredis, every 10 ms' => 0.01, 'phpredis, every 200 ms' => 0.2, 'Symfony' => 0.1, 'Laravel' => 0.25];

const WORKERS = [BOUND => 'bound', LEASE => 'lease', PERMITS => 'permits', 'phpredis, every 10 ms' => 'poll10',
	'phpredis, every 200 ms' => 'poll200', 'Symfony' => 'symfony', 'Laravel' => 'laravel'];

function nameFor(string $contender, int $count): string
{
	return 'bench:' . md5($contender . $count);
}

/** A crowd, ready to wait, or null when the contender cannot be had. @param ?string $module  of ours; null: the usual one */
function crowd(Bench $bench, string $contender, int $count, string $how = 'processes', ?string $module = null): ?Crowd
{
	$server = $bench->server();
	$place = [(string) $count, (string) HOLD_US, nameFor($contender, $count), 'tcp', '127.0.0.1', (string) $server->port];
	if (in_array($contender, [FLOOR, FLOOR_LEASE, CORE], true)) {
		$program = $contender === CORE ? $bench->crowdOfCore() : $bench->crowdOfFloor($contender === FLOOR_LEASE);

		return new Crowd(new Process([$program, $how, ...$place], $bench->otherCpus()), $server, $count);
	}
	$ours = in_array($contender, [BOUND, LEASE, PERMITS], true);
	$module = $ours ? $module ?? $bench->module() : null;
	$modules = $ours ? ($module !== null ? [$module] : null) : $bench->phpredis();
	$autoloader = $contender === 'Symfony' ? $bench->package('symfony/lock') : '';
	if ($modules === null || $autoloader === null) {
		return null;
	}
	$arguments = [WORKERS[$contender], ...$place, ...($autoloader !== '' ? [$autoloader] : [])];

	return new Crowd($bench->phpWorker('crowd', $arguments, $modules, $bench->otherCpus()), $server, $count,
		PAUSES[$contender] ?? null);
}

/** @param list<string> $contenders @return array<string, Crowd> */
function crowds(Bench $bench, array $contenders, int $count): array
{
	$crowds = [];
	foreach ($contenders as $contender) {
		$crowds[$contender] = crowd($bench, $contender, $count);
	}

	return array_filter($crowds);
}

/** Nanoseconds as text. */
function microseconds(float $ns): string
{
	return number_format($ns / 1e3, $ns < 1e6 ? 1 : 0, '.', ' ');
}

/** @param list<int|float> $values @return array{string, string}  median and 99th percentile */
function figures(array $values): array
{
	return [microseconds(Statistics::median($values)), microseconds(Statistics::quantile($values, 0.99))];
}
