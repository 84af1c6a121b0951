<?php
/*
 * Laravel's locks with the extension, in one file. An application does not need the first half: Composer finds the service
 * provider, and config/cache.php gets this store:
 *
 *     'redislock' => ['driver' => 'redislock', 'connection' => 'cache', 'lock_connection' => 'default'],
 *
 * Try it twice at the same time: php laravel.php & php laravel.php
 */

use Illuminate\Contracts\Cache\LockTimeoutException;
use RedisLock\Laravel\RedisLockStore;

require getenv('COMPOSER_AUTOLOAD') ?: 'vendor/autoload.php';

$app = new Illuminate\Foundation\Application(__DIR__);
$app->instance('config', new Illuminate\Config\Repository([
	'cache' => ['default' => 'redislock', 'prefix' => 'app_cache_', 'stores' => ['redislock' => ['driver' => 'redislock']]],
	'database' => ['redis' => ['client' => 'predis', 'options' => ['prefix' => 'app_database_'],
		'default' => ['url' => getenv('REDIS_URL') ?: 'tcp://127.0.0.1:6379']]],
]));
foreach ([Illuminate\Redis\RedisServiceProvider::class, Illuminate\Cache\CacheServiceProvider::class,
	RedisLock\Laravel\RedisLockServiceProvider::class] as $provider) {
	(new $provider($app))->register();
}
$cache = $app->make(Illuminate\Cache\CacheManager::class)->store()->getStore(); // the facade Cache in an application
assert($cache instanceof RedisLockStore);

$seconds = (float) ($argv[1] ?? 2);

// A lease: it ends after 30 s at the latest, whatever happens to this process. The release wakes a waiter.
try {
	$cache->lock('payment:A-7', 30)->block(10, function () use ($seconds): void {
		echo "paying\n";
		usleep((int) ($seconds * 1e6));
	});
} catch (LockTimeoutException) {
	echo "somebody else is paying\n";
	exit(75);
}

// A lock that lives as long as this process. You do not guess a time, and after kill -9 it is free at once.
$done = $cache->processLock('report')->get(function () use ($seconds): string {
	usleep((int) ($seconds * 1e6));
	return 'report written';
});
echo is_string($done) ? $done : 'another process writes it', "\n";

// As with Laravel's own locks, one process can acquire a lock and a job can release it.
$lock = $cache->lock('import', 300);
$lock->block(10);
echo $cache->restoreLock('import', $lock->owner())->release() ? "released by its owner\n" : "lost\n";
