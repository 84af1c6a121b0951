<?php
/*
 * crowd: many waiters for one lock, in PHP. Takes the orders and gives the reports that bench/crowd.c describes.
 *
 *     crowd.php CONTENDER COUNT HOLD_US NAME tcp|unix ADDRESS PORT [AUTOLOADER]
 *
 * The waiters are forked, as the workers of FPM are. Each opens its connection and has taken another lock once before
 * it is ordered about, so that neither connecting nor the first call of a function is measured. Answers are
 * checked; a lock that is not got, or was lost, ends the worker with a message.
 */
declare(strict_types=1);

const RELEASE = "if redis.call('get',KEYS[1]) == ARGV[1] then return redis.call('del',KEYS[1]) else return 0 end";

[, $contender, $count, $hold, $name, $transport, $address, $port] = $argv;
$holdMicroseconds = (int) $hold;
$place = $transport === 'unix' ? [$address] : [$address, (int) $port];
$autoloader = $argv[8] ?? null;

/** @return array{Closure(): bool, Closure(): bool}  acquires, waiting as long as it takes; releases */
function redislock(string $name, array $place, array $options): array
{
	$lock = new RedisLock($options + ['name' => $name, 'ttl' => 30, 'wait' => 600]
		+ (isset($place[1]) ? ['host' => $place[0], 'port' => $place[1]] : ['unix_socket' => $place[0]]));

	return [$lock->acquire(...), $lock->release(...)];
}

/** SET NX again and again, as most have it. @return array{Closure(): bool, Closure(): bool} */
function polling(string $name, array $place, int $pause, array $ttl): array
{
	$redis = new Redis();
	$redis->connect(...$place);
	$sha = $redis->script('load', RELEASE);
	$token = '';
	$acquire = static function () use ($redis, $name, $pause, $ttl, &$token): bool {
		$token = bin2hex(random_bytes(16));
		while (!$redis->set($name, $token, ['nx'] + $ttl)) {
			usleep($pause);
		}

		return true;
	};

	return [$acquire, static function () use ($redis, $name, $sha, &$token): bool {
		return $redis->evalSha($sha, [$name, $token], 1) === 1;
	}];
}

/** @return array{Closure(): bool, Closure(): bool} */
function symfony(string $name, array $place): array
{
	$redis = new Redis();
	$redis->connect(...$place);
	$lock = (new Symfony\Component\Lock\LockFactory(new Symfony\Component\Lock\Store\RedisStore($redis)))
		->createLock($name, 30.0, false);

	return [static fn (): bool => $lock->acquire(true), static function () use ($lock): bool {
		$lock->release();

		return true;
	}];
}

/** @return array{Closure(): bool, Closure(): bool} */
function contender(string $contender, string $name, array $place): array
{
	return match ($contender) {
		'lease' => redislock($name, $place, []),
		'bound' => redislock($name, $place, ['renew' => true]),
		'poll10' => polling($name, $place, 10_000, ['px' => 30000]),
		'poll200' => polling($name, $place, 200_000, ['px' => 30000]),
		// What Cache::lock()->block() does on a Redis store.
		'laravel' => polling($name, $place, 250_000, ['ex' => 30]),
		'symfony' => symfony($name, $place),
	};
}

function yes(bool $done): void
{
	if (!$done) {
		throw new RuntimeException('the lock was refused, or lost');
	}
}

function takeTurn(Closure $acquire, Closure $release, int $number, int $hold): void
{
	$began = hrtime(true);
	yes($acquire());
	$acquired = hrtime(true);
	usleep($hold);
	$released = hrtime(true);
	yes($release());
	// One write, since many share this pipe.
	fwrite(STDOUT, "$number $began $acquired $released\n");
}

/** Waits for orders until the leader is gone. @param resource $orders */
function waiter($orders, int $number, string $contender, string $name, array $place, int $hold): void
{
	[$acquire, $release] = contender($contender, "$name:warm:$number", $place);
	yes($acquire());
	yes($release());
	[$acquire, $release] = contender($contender, $name, $place);
	while (($order = fgets($orders)) !== false) {
		$milliseconds = (int) $order;
		if ($milliseconds === 0) {
			takeTurn($acquire, $release, $number, $hold);
			continue;
		}
		$until = hrtime(true) + $milliseconds * 1_000_000;
		while (hrtime(true) < $until) {
			takeTurn($acquire, $release, $number, $hold);
		}
		fwrite(STDOUT, "$number end\n");
	}
}

if ($autoloader !== null) {
	require $autoloader;
}
$waiters = $pids = [];
for ($number = 0; $number < (int) $count; $number++) {
	$ends = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
	$pids[$number] = pcntl_fork();
	if ($pids[$number] === 0) {
		// Else those started later would keep the orders of the earlier ones open.
		foreach ([...$waiters, $ends[0], STDIN] as $stream) {
			fclose($stream);
		}
		$waiters = [];
		waiter($ends[1], $number, $contender, $name, $place, $holdMicroseconds);
		exit;
	}
	fclose($ends[1]);
	$waiters[] = $ends[0];
}
[$acquire, $release] = contender($contender, $name, $place);
while (($line = fgets(STDIN)) !== false) {
	$order = explode(' ', rtrim($line));
	switch ($order[0]) {
		case 'hold':
			$began = hrtime(true);
			yes($acquire());
			$acquired = hrtime(true);
			fwrite(STDOUT, "holding\n");
			break;
		case 'go':
			$released = hrtime(true);
			yes($release());
			fwrite(STDOUT, "-1 $began $acquired $released\n");
			break;
		case 'pid':
			fwrite(STDOUT, $pids[(int) $order[1]] . "\n");
			break;
		default:
			for ($number = (int) $order[1]; $number < (int) $order[2]; $number++) {
				fwrite($waiters[$number], ($order[3] ?? 0) . "\n");
			}
	}
}
