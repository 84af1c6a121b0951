<?php
/*
 * frameworks: locks of a framework, its own or through packages/, as a long-lived process.
 *
 *     frameworks.php CONTENDER HOST PORT AUTOLOADER YII2
 *
 * Orders on stdin, one per line, and the answer to each:
 *
 *     pairs N   does N uncontended pairs of acquire and release       nanoseconds they took
 *     hold      acquires                                              "held"
 *     wait      says "waits" and acquires, waiting as long as it takes   "waits", then when it had the lock, ns
 *     release   releases                                              when it began to, ns
 *
 * A lock object is made for each pair, as applications do. Answers are checked; a lock that is not got ends the worker.
 */
declare(strict_types=1);

const REFUSED = 'the lock was refused, or lost';
const LIMIT = 600;

[, $contender, $host, $port, $autoloader, $yii2] = $argv;
$server = ['host' => $host, 'port' => (int) $port];
require $autoloader;

/** What yii\redis\Mutex does, for where Yii 2 cannot be had; on phpredis, which is faster than Yii's own client. */
final class StockYii2
{
	private const RELEASE = "if redis.call('GET',KEYS[1])==ARGV[1] then\n return redis.call('DEL',KEYS[1])\nelse\n return 0\nend";
	private string $value;

	public function __construct(private Redis $redis)
	{
	}

	public function acquire(string $name, int $timeout = 0): bool
	{
		$this->value = substr(strtr(base64_encode(random_bytes(20)), '+/', '-_'), 0, 20);
		$started = microtime(true);
		do {
			if ($this->redis->set(self::key($name), $this->value, ['nx', 'px' => 30000])) {
				return true;
			}
			usleep(50_000);
		} while (microtime(true) - $started < $timeout);

		return false;
	}

	public function release(string $name): bool
	{
		return (bool) $this->redis->eval(self::RELEASE, [self::key($name), $this->value], 1);
	}

	private static function key(string $name): string
	{
		return 'a5b2f' . md5(json_encode(['yii\redis\Mutex', $name]));
	}
}

function phpredis(array $server): Redis
{
	$redis = new Redis();
	$redis->connect($server['host'], $server['port']);

	return $redis;
}

/**
 * @return array{Closure(string): object, Closure(object): bool, Closure(object): mixed, Closure(object): mixed} makes a lock of a
 *     name; acquires it; acquires it, waiting; releases it
 */
function laravel(array $server, bool $ours): array
{
	$databases = ['default' => $server + ['database' => '0'], 'options' => ['prefix' => 'app_database_']];
	$manager = new Illuminate\Redis\RedisManager(null, 'phpredis', $databases);
	$store = $ours ? new RedisLock\Laravel\RedisLockStore($manager, $databases, 'app_cache_')
		: new Illuminate\Cache\RedisStore($manager, 'app_cache_');

	return [fn ($name) => $store->lock($name, 30), fn ($lock) => $lock->get(), fn ($lock) => $lock->block(LIMIT),
		fn ($lock) => $lock->release()];
}

function symfony(array $server, bool $ours, float $ttl): array
{
	$store = $ours ? new RedisLock\Symfony\RedisLockStore($server) : new Symfony\Component\Lock\Store\RedisStore(phpredis($server));
	$factory = new Symfony\Component\Lock\LockFactory($store);

	return [fn ($name) => $factory->createLock($name, $ttl), fn ($lock) => $lock->acquire(), fn ($lock) => $lock->acquire(true),
		function ($lock): bool {
			$lock->release();

			return true;
		}];
}

function yii2(array $server, bool $ours, string $parts): array
{
	require $parts;
	if ($ours) {
		spl_autoload_register(static function (string $class): void {
			@include dirname(__DIR__, 2) . '/packages/adapters/src/' . strtr(substr($class, strlen('RedisLock\\')), '\\', '/') . '.php';
		});
		$mutex = new RedisLock\Yii2\Mutex(['redis' => $server, 'keyPrefix' => 'a5b2f']);
	} else {
		$mutex = new StockYii2(phpredis($server));
	}

	return [fn ($name) => new ArrayObject([$name]), fn ($lock) => $mutex->acquire($lock[0]),
		fn ($lock) => $mutex->acquire($lock[0], LIMIT), fn ($lock) => $mutex->release($lock[0])];
}

function yes(mixed $done): void
{
	if ($done !== true) {
		throw new RuntimeException(REFUSED);
	}
}

[$framework, $kind, $ttl] = explode(' ', $contender) + [2 => ''];
[$make, $acquire, $wait, $release] = match ($framework) {
	'laravel' => laravel($server, $kind === 'ours'),
	'symfony' => symfony($server, $kind === 'ours', (float) $ttl),
	'yii2' => yii2($server, $kind === 'ours', $yii2),
};
$lock = null;
while (($line = fgets(STDIN)) !== false) {
	$order = explode(' ', rtrim($line));
	switch ($order[0]) {
		case 'pairs':
			$started = hrtime(true);
			for ($i = (int) $order[1]; $i > 0; $i--) {
				$lock = $make("bench:$framework");
				yes($acquire($lock));
				yes($release($lock));
			}
			$lock = null;
			echo hrtime(true) - $started, "\n";
			break;
		case 'hold':
			$lock = $make('bench:handed over');
			yes($acquire($lock));
			echo "held\n";
			break;
		case 'wait':
			echo "waits\n";
			$lock = $make('bench:handed over');
			yes($wait($lock));
			echo hrtime(true), "\n";
			break;
		case 'release':
			$released = hrtime(true);
			yes($release($lock));
			$lock = null;
			echo $released, "\n";
	}
}
