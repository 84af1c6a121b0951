<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use Illuminate\Cache\ArrayStore;
use Illuminate\Cache\NullStore;
use Illuminate\Contracts\Cache\Factory;
use Illuminate\Contracts\Cache\Store;
use Illuminate\Contracts\Config\Repository as Config;

/**
 * Finds the store with the process-bound locks of an application.
 *
 * @internal
 */
final class ProcessStores
{
	public function __construct(private readonly Factory $cache, private readonly Config $config)
	{
	}

	/**
	 * @param string|null $name of a store; null: the application's
	 * @return RedisLockStore|null null: the named store is of another kind, or the application's locks are in memory
	 */
	public function find(?string $name): ?RedisLockStore
	{
		if ($name !== null) {
			return self::ours($this->cache->store($name)->getStore());
		}
		$default = $this->cache->store()->getStore();

		return self::ours($default) ?? (self::isInMemory($default) ? null : $this->configured());
	}

	/** Whether a process sees only its own locks there, as in the tests of an application. */
	public static function isInMemory(Store $store): bool
	{
		return $store instanceof ArrayStore || $store instanceof NullStore;
	}

	/** The one that config/redislock.php names. */
	private function configured(): RedisLockStore
	{
		$name = $this->config->get('redislock.store') ?? 'redislock';

		return self::ours($this->cache->store($name)->getStore())
			?? throw new \LogicException("The cache store [$name] does not have the driver \"redislock\".");
	}

	private static function ours(Store $store): ?RedisLockStore
	{
		return $store instanceof RedisLockStore ? $store : null;
	}
}
