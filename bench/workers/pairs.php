<?php
/*
 * pairs: one PHP contender of bench/tables/pairs.php, as a long-lived process.
 *
 *     pairs.php phpredis|predis|redislock MODE tcp|unix ADDRESS PORT [AUTOLOADER | USER]
 *
 * MODE is kept (one object), new (one for each pair), persistent (likewise, over a connection that stays), or a kept
 * object of another kind: bound to its process, permits (one of 4), permits_max (one of 4,096), shared.
 *
 * Each line on stdin is a number of pairs to do; the answer on stdout is the nanoseconds they took. Every
 * contender has its loop to itself, so that none pays for a call the others do not make. Answers are checked
 * in all of them; a lock that is not got ends the worker.
 */
declare(strict_types=1);

const RELEASE = "if redis.call('get',KEYS[1]) == ARGV[1] then return redis.call('del',KEYS[1]) else return 0 end";
const REFUSED = 'the lock was refused';

[, $contender, $mode, $transport, $address, $port] = $argv;
$unix = $transport === 'unix';
$kept = !in_array($mode, ['new', 'persistent'], true);
$key = 'bench:' . ($contender === 'redislock' && $kept ? $mode : getmypid());

/** @return Closure(int): void  does that many pairs */
function phpredis(string $key, bool $kept, bool $unix, string $address, int $port): Closure
{
	global $mode;
	$connect = $mode === 'persistent' ? 'pconnect' : 'connect';
	$open = static function () use ($unix, $address, $port, $connect): Redis {
		$redis = new Redis();
		$unix ? $redis->$connect($address) : $redis->$connect($address, $port);

		return $redis;
	};
	$kept_client = $open();
	$sha = $kept_client->script('load', RELEASE);

	return static function (int $pairs) use ($key, $kept, $kept_client, $open, $sha, $mode): void {
		$redis = $kept_client;
		for ($i = 0; $i < $pairs; $i++) {
			if (!$kept) {
				$redis = $open();
			}
			$token = bin2hex(random_bytes(16));
			if (!$redis->set($key, $token, ['nx', 'px' => 30000]) || $redis->evalSha($sha, [$key, $token], 1) !== 1) {
				throw new RuntimeException(REFUSED);
			}
			if ($mode === 'new') {
				$redis->close();
			}
		}
	};
}

/** @return Closure(int): void */
function predis(string $key, bool $kept, bool $unix, string $address, int $port, string $autoloader): Closure
{
	require $autoloader;
	$parameters = $unix ? ['scheme' => 'unix', 'path' => $address]
		: ['scheme' => 'tcp', 'host' => $address, 'port' => $port];
	$kept_client = new Predis\Client($parameters);
	$sha = $kept_client->script('load', RELEASE);

	return static function (int $pairs) use ($key, $kept, $kept_client, $parameters, $sha): void {
		$client = $kept_client;
		for ($i = 0; $i < $pairs; $i++) {
			if (!$kept) {
				$client = new Predis\Client($parameters);
			}
			$token = bin2hex(random_bytes(16));
			if ($client->set($key, $token, 'PX', 30000, 'NX') === null
				|| $client->evalsha($sha, 1, $key, $token) !== 1) {
				throw new RuntimeException(REFUSED);
			}
			if (!$kept) {
				$client->disconnect();
			}
		}
	};
}

/** @return Closure(int): void */
function redislock(string $key, bool $kept, bool $unix, string $address, int $port, ?string $user = null): Closure
{
	global $mode;
	$parameters = ['name' => $key, 'ttl' => 30, 'persistent' => $mode === 'persistent'] + match ($mode) {
		'bound' => ['renew' => true],
		'permits' => ['permits' => 4],
		'permits_max' => ['permits' => 4096],
		'shared' => ['shared' => true],
		default => [],
	};
	if ($user !== null) {
		$parameters['auth'] = [$user, 'bench'];
	}
	$parameters += $unix ? ['unix_socket' => $address] : ['host' => $address, 'port' => $port];
	$kept_lock = new RedisLock($parameters);

	return static function (int $pairs) use ($kept, $kept_lock, $parameters): void {
		$lock = $kept_lock;
		for ($i = 0; $i < $pairs; $i++) {
			if (!$kept) {
				$lock = new RedisLock($parameters);
			}
			if (!$lock->acquire() || !$lock->release()) {
				throw new RuntimeException(REFUSED);
			}
			if (!$kept) {
				// Its destructor closes the connection, which is part of what is measured.
				$lock = null;
			}
		}
	};
}

$do = $contender($key, $kept, $unix, $address, (int) $port, ...array_slice($argv, 6));
while (($line = fgets(STDIN)) !== false) {
	$started = hrtime(true);
	$do((int) $line);
	echo hrtime(true) - $started, "\n";
}
