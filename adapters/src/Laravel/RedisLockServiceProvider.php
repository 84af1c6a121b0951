<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use Illuminate\Cache\CacheManager;
use Illuminate\Support\ServiceProvider;

/**
 * Adds the cache driver "redislock". Laravel finds this class by itself.
 */
class RedisLockServiceProvider extends ServiceProvider
{
	public function register(): void
	{
		$this->callAfterResolving('cache', function (CacheManager $cache): void {
			$cache->extend('redislock', fn ($app, array $config) =>
				$cache->repository(RedisLockStore::fromConfig($app['config'], $app['redis'], $config), $config));
		});
	}
}
