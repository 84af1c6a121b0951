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

/** What bench/crowd.c calls crowd_acquire() and crowd_release(); a RedisLock has the same methods. */
interface Contender
{
	/** Waits as long as it takes. */
	public function acquire(): bool;

	public function release(): bool;
}

/** SET NX again and again, as most have it. */
final class Polling implements Contender
{
	private readonly Redis $redis;
	private readonly string $sha;
	private string $token = '';

	public function __construct(private readonly string $name, array $place, private readonly int $pause,
		private readonly array $ttl)
	{
		$this->redis = new Redis();
		$this->redis->connect(...$place);
		$this->sha = $this->redis->script('load', RELEASE);
	}

	public function acquire(): bool
	{
		$this->token = bin2hex(random_bytes(16));
		while (!$this->redis->set($this->name, $this->token, ['nx'] + $this->ttl)) {
			usleep($this->pause);
		}

		return true;
	}

	public function release(): bool
	{
		return $this->redis->evalSha($this->sha, [$this->name, $this->token], 1) === 1;
	}
}

final class Symfony implements Contender
{
	private readonly Symfony\Component\Lock\LockInterface $lock;

	public function __construct(string $name, array $place)
	{
		$redis = new Redis();
		$redis->connect(...$place);
		$this->lock = (new Symfony\Component\Lock\LockFactory(new Symfony\Component\Lock\Store\RedisStore($redis)))
			->createLock($name, 30.0, false);
	}

	public function acquire(): bool
	{
		return $this->lock->acquire(true);
	}

	public function release(): bool
	{
		$this->lock->release();

		return true;
	}
}

function redislock(string $name, array $place, array $options): RedisLock
{
	return new RedisLock($options + ['name' => $name, 'ttl' => 30, 'wait' => 600]
		+ (isset($place[1]) ? ['host' => $place[0], 'port' => $place[1]] : ['unix_socket' => $place[0]]));
}

/** @param int $number  of the waiter, -1: the leader */
function contender(string $contender, string $name, array $place, int $number): Contender|RedisLock
{
	return match ($contender) {
		'lease' => redislock($name, $place, []),
		'bound' => redislock($name, $place, ['renew' => true]),
		'permits' => redislock($name, $place, ['renew' => true, 'permits' => 4]),
		// Every third one is a writer, or the first one alone.
		'mixed' => redislock($name, $place, ['renew' => true, 'shared' => $number % 3 !== 0]),
		'readers' => redislock($name, $place, ['renew' => true, 'shared' => $number !== 0]),
		'poll10' => new Polling($name, $place, 10_000, ['px' => 30000]),
		'poll200' => new Polling($name, $place, 200_000, ['px' => 30000]),
		// What Cache::lock()->block() does on a Redis store.
		'laravel' => new Polling($name, $place, 250_000, ['ex' => 30]),
		'symfony' => new Symfony($name, $place),
	};
}

function yes(bool $done): void
{
	if (!$done) {
		throw new RuntimeException('the lock was refused, or lost');
	}
}

function takeTurn(Contender|RedisLock $lock, int $number, int $hold): void
{
	$began = hrtime(true);
	$got = $lock->acquire();
	$acquired = hrtime(true);
	yes($got);
	usleep($hold);
	$released = hrtime(true);
	yes($lock->release());
	// One write, since many share this pipe.
	fwrite(STDOUT, "$number $began $acquired $released\n");
}

/** Waits for orders until the leader is gone. @param resource $orders */
function waiter($orders, int $number, string $contender, string $name, array $place, int $hold): void
{
	$lock = contender($contender, "$name:warm:$number", $place, $number);
	yes($lock->acquire());
	yes($lock->release());
	$lock = contender($contender, $name, $place, $number);
	while (($order = fgets($orders)) !== false) {
		$milliseconds = (int) $order;
		if ($milliseconds === 0) {
			takeTurn($lock, $number, $hold);
			continue;
		}
		$until = hrtime(true) + $milliseconds * 1_000_000;
		while (hrtime(true) < $until) {
			takeTurn($lock, $number, $hold);
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
$lock = contender($contender, $name, $place, -1);
while (($line = fgets(STDIN)) !== false) {
	$order = explode(' ', rtrim($line));
	switch ($order[0]) {
		case 'hold':
			$began = hrtime(true);
			yes($lock->acquire());
			$acquired = hrtime(true);
			fwrite(STDOUT, "holding\n");
			break;
		case 'go':
			$released = hrtime(true);
			yes($lock->release());
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
