<?php

declare(strict_types=1);

namespace RedisLock\Symfony;

use RedisLock\LockFactory as Locks;
use RedisLock\Options;
use RedisLock\Testing\ArrayLockFactory;
use Symfony\Component\Lock\PersistingStoreInterface;
use Symfony\Component\Lock\Store\InMemoryStore;
use Symfony\Component\Semaphore\PersistingStoreInterface as SemaphoreStore;

/**
 * @internal Makes what RedisLockBundle registers, when it is asked for: only then are environment variables known.
 * @phpstan-import-type Options from \RedisLock as Parameters
 */
final class StoreFactory
{
	private const IN_MEMORY = 'in-memory';

	/**
	 * @param Parameters|string|object $server options or a URI; "in-memory"; or a client of phpredis, Relay or Predis
	 * @param Parameters $options of \RedisLock, merged over those of the server
	 * @param InMemoryStore $memory of the locks that would have the same server and prefix: they exclude each other, whatever their factories
	 * @param mixed $default the server of all locks: if it is "in-memory", so is every other one
	 */
	public static function store(
		#[\SensitiveParameter] array|string|object $server,
		#[\SensitiveParameter] array $options,
		bool $process,
		float $initialTtl,
		bool $fence,
		InMemoryStore $memory,
		#[\SensitiveParameter] mixed $default = null
	): PersistingStoreInterface {
		if ($server === self::IN_MEMORY || $default === self::IN_MEMORY) {
			return $memory;
		}
		$options = self::options($server, $options);

		return $process ? new ProcessLockStore($options, $fence) : new RedisLockStore($options, $initialTtl, $fence);
	}

	/**
	 * As for store(): permits of the same names, on the same servers.
	 *
	 * @param Parameters|string|object $server
	 * @param Parameters $options
	 */
	public static function semaphores(
		#[\SensitiveParameter] array|string|object $server,
		#[\SensitiveParameter] array $options,
		bool $process,
		MemorySemaphoreStore $memory,
		#[\SensitiveParameter] mixed $default = null
	): SemaphoreStore {
		if ($server === self::IN_MEMORY || $default === self::IN_MEMORY) {
			return $memory;
		}
		$options = self::options($server, $options);

		return $process ? new ProcessSemaphoreStore($options) : new RedisSemaphoreStore($options);
	}

	/**
	 * As for store().
	 *
	 * @param Parameters|string|object $server
	 * @param Parameters $options
	 */
	public static function locks(
		#[\SensitiveParameter] array|string|object $server,
		#[\SensitiveParameter] array $options
	): Locks {
		return $server === self::IN_MEMORY ? new ArrayLockFactory() : new Locks(self::options($server, $options));
	}

	/**
	 * As for store(): for the commands of redislock.
	 *
	 * @param Parameters|string|object $server
	 * @param Parameters $options
	 */
	public static function consoleOptions(
		#[\SensitiveParameter] array|string|object $server,
		#[\SensitiveParameter] array $options,
		#[\SensitiveParameter] mixed $default = null
	): StoreOptions {
		return new StoreOptions($server === self::IN_MEMORY || $default === self::IN_MEMORY ? null : self::options($server, $options));
	}

	/**
	 * @param Parameters|string|object $server
	 * @param Parameters $options
	 * @return Parameters
	 */
	private static function options(
		#[\SensitiveParameter] array|string|object $server,
		#[\SensitiveParameter] array $options
	): array {
		foreach (['servers', 'sentinels', 'cluster'] as $list) {
			if (is_array($options[$list] ?? null) && $server !== []) {
				throw new \ValueError("Option \"$list\" says which servers there are, so it stands in place of the DSN: \"server: { $list: [...] }\".");
			}
		}

		return Options::from($server, $options);
	}
}
