<?php
/*
 * quorum: one PHP contender of bench/tables/quorum.php, as a long-lived process.
 *
 *     quorum.php redislock LIMIT PORTS [PIDS]
 *     quorum.php phpredis|predis LIMIT PORTS [AUTOLOADER]
 *
 * LIMIT is the time limit of one server in seconds, PORTS a list with commas. Questions on stdin, one a line:
 *
 *     pairs N     N locks and their releases; answers with the nanoseconds they took
 *     each N      the same one by one, each on the same object; answers with two lists: the nanoseconds of each, and those
 *                 of them in which it waited for a CPU, or one of the servers PIDS did, the one that waited longest
 *     first       one on a fresh object, connecting included; "refused" in front of the time when it was
 *
 * phpredis and predis ask one server after the other, for the lock and for its release, with no more than the well-known
 * libraries do (ronnylt/redlock-php, signe/redlock-php): SET NX PX, then EVAL of compare and delete everywhere.
 */
declare(strict_types=1);

const TTL = 30000;
const RELEASE = "if redis.call('get',KEYS[1]) == ARGV[1] then return redis.call('del',KEYS[1]) else return 0 end";

[, $contender, $limit, $list] = $argv;
/* Of its own: what is still on its way must not meet the next contender. */
define('KEY', 'bench:quorum:' . getmypid());
$ports = array_map(intval(...), explode(',', $list));

/** @return Closure(): Closure(): bool  makes a fresh client, which locks and unlocks once */
$make = match ($contender) {
	'redislock' => static function () use ($limit, $ports): Closure {
		$red = new RedLock(array_map(static fn ($port) => ['127.0.0.1', $port, (float) $limit], $ports), 1, 1);

		return static function () use ($red): bool {
			try {
				$lock = $red->lock(KEY, TTL);

				return $lock !== false && $red->unlock($lock);
			} catch (RedisLock\ConnectionException) {
				return false;
			}
		};
	},
	'phpredis' => static function () use ($limit, $ports): Closure {
		$clients = [];
		foreach ($ports as $port) {
			$client = new Redis();
			try {
				$client->connect('127.0.0.1', $port, (float) $limit, null, 0, (float) $limit);
				$clients[] = $client;
			} catch (RedisException) {
			}
		}
		$quorum = min(count($ports), intdiv(count($ports), 2) + 1);

		return static function () use ($clients, $quorum): bool {
			$token = bin2hex(random_bytes(16));
			$started = microtime(true) * 1000;
			$locked = 0;
			foreach ($clients as $client) {
				try {
					$locked += (int) $client->set(KEY, $token, ['NX', 'PX' => TTL]);
				} catch (RedisException) {
				}
			}
			$validity = TTL - (microtime(true) * 1000 - $started) - (TTL * 0.01 + 2);
			foreach ($clients as $client) {
				try {
					$client->eval(RELEASE, [KEY, $token], 1);
				} catch (RedisException) {
				}
			}

			return $locked >= $quorum && $validity > 0;
		};
	},
	'predis' => static function () use ($limit, $ports, $argv): Closure {
		require_once $argv[4];
		$clients = array_map(static fn ($port) => new Predis\Client(['host' => '127.0.0.1', 'port' => $port,
			'timeout' => (float) $limit, 'read_write_timeout' => (float) $limit]), $ports);

		return static function () use ($clients): bool {
			$token = bin2hex(random_bytes(16));
			$locked = 0;
			foreach ($clients as $client) {
				try {
					$locked += (int) ($client->set(KEY, $token, 'PX', TTL, 'NX') !== null);
				} catch (Predis\Connection\ConnectionException) {
				}
			}
			foreach ($clients as $client) {
				try {
					$client->eval(RELEASE, 1, KEY, $token);
				} catch (Predis\Connection\ConnectionException) {
				}
			}

			return $locked >= intdiv(count($clients), 2) + 1;
		};
	},
};

/** Nanoseconds for which we and each of the servers have been ready to run and had no CPU. @return list<int> */
function waited(array $pids): array
{
	return array_map(static fn ($pid) => (int) explode(' ', @file_get_contents("/proc/$pid/schedstat") ?: '0 0')[1],
		['self', ...$pids]);
}

$once = $make();
$pids = $contender === 'redislock' && isset($argv[4]) ? explode(',', $argv[4]) : [];
while (($line = fgets(STDIN)) !== false) {
	[$what, $n] = explode(' ', trim($line)) + [1 => '1'];
	if ($what === 'first') {
		$started = hrtime(true);
		$fresh = $make();
		$ok = $fresh();
		echo $ok ? '' : 'refused ', hrtime(true) - $started, "\n";
		continue;
	}
	if ($what === 'each') {
		$times = $waits = [];
		for ($i = 0; $i < (int) $n; $i++) {
			$waitedBefore = waited($pids);
			$before = hrtime(true);
			$once();
			$times[] = hrtime(true) - $before;
			$each = array_map(static fn ($after, $before) => $after - $before, waited($pids), $waitedBefore);
			$waits[] = array_shift($each) + max([0, ...$each]);
		}
		echo implode(' ', $times), ';', implode(' ', $waits), "\n";
		continue;
	}
	$started = hrtime(true);
	for ($i = 0; $i < (int) $n; $i++) {
		if (!$once()) {
			throw new RuntimeException('the lock was refused');
		}
	}
	echo hrtime(true) - $started, "\n";
}
