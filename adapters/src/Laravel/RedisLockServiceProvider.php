<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use Illuminate\Cache\CacheManager;
use Illuminate\Contracts\Events\Dispatcher;
use Illuminate\Support\ServiceProvider;
use Psr\Log\LoggerInterface;
use RedisLock\Adapter\RequestLocks;

/**
 * Adds the cache driver "redislock". Under Octane, ends process-bound locks with the request, task or tick that has acquired
 * them. Laravel finds this class by itself.
 */
class RedisLockServiceProvider extends ServiceProvider
{
	private const OCTANE = 'Laravel\Octane\Events\\';

	public function register(): void
	{
		$this->callAfterResolving('cache', function (CacheManager $cache): void {
			$cache->extend('redislock', fn ($app, array $config) =>
				$cache->repository(RedisLockStore::fromConfig($app['config'], $app['redis'], $config), $config));
		});
	}

	public function boot(Dispatcher $events): void
	{
		foreach (['Request', 'Task', 'Tick'] as $operation) {
			$events->listen(self::OCTANE . "{$operation}Received", self::begin(...));
			$events->listen(self::OCTANE . "{$operation}Terminated", self::end(...));
		}
		// In place of "terminated".
		$events->listen(self::OCTANE . 'WorkerErrorOccurred', self::end(...));
	}

	private static function begin(object $event): void
	{
		self::end($event);
		RequestLocks::begin();
	}

	private static function end(object $event): void
	{
		RequestLocks::end(fn () => $event->sandbox->make(LoggerInterface::class));
	}
}
