<?php

declare(strict_types=1);

namespace RedisLock\Symfony;

use RedisLock\LockFactory as Locks;
use RedisLock\Options;
use RedisLock\Testing\ArrayLockFactory;
use Symfony\Component\Lock\PersistingStoreInterface;
use Symfony\Component\Lock\Store\InMemoryStore;

/** @internal Makes what RedisLockBundle registers, when it is asked for: only then are environment variables known. */
final class StoreFactory
{
	private const IN_MEMORY = 'in-memory';

	/**
	 * @param array<mixed>|string|object $server options or a URI; "in-memory"; or a client of phpredis, Relay or Predis
	 * @param array $options of \RedisLock, merged over those of the server
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
		$options = self::optionsOf($server, $options, $default);

		return $options === null ? $memory : ($process ? new ProcessLockStore($options, $fence) : new RedisLockStore($options, $initialTtl, $fence));
	}

	public static function locks(#[\SensitiveParameter] array|string|object $server, #[\SensitiveParameter] array $options): Locks
	{
		$options = self::optionsOf($server, $options);

		return $options === null ? new ArrayLockFactory() : new Locks($options);
	}

	/** For the commands of redislock. An array cannot be a service, and dumps must not show the password. */
	public static function options(
		#[\SensitiveParameter] array|string|object $server,
		#[\SensitiveParameter] array $options,
		#[\SensitiveParameter] mixed $default = null
	): \SensitiveParameterValue {
		return new \SensitiveParameterValue(self::optionsOf($server, $options, $default));
	}

	/** @return array<mixed>|null null: the locks are in memory */
	private static function optionsOf(
		#[\SensitiveParameter] array|string|object $server,
		#[\SensitiveParameter] array $options,
		#[\SensitiveParameter] mixed $default = null
	): ?array {
		if ($server === self::IN_MEMORY || $default === self::IN_MEMORY) {
			return null;
		}
		foreach (['servers', 'sentinels', 'cluster'] as $list) {
			if (is_array($options[$list] ?? null) && $server !== []) {
				throw new \ValueError("Option \"$list\" says which servers there are, so it stands in place of the DSN: \"server: { $list: [...] }\".");
			}
		}

		return Options::from($server, $options);
	}
}
