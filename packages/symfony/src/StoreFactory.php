<?php

declare(strict_types=1);

namespace RedisLock\Symfony;

use RedisLock\LockFactory as Locks;
use RedisLock\Options;
use RedisLock\Testing\ArrayLockFactory;
use Symfony\Component\Lock\PersistingStoreInterface;
use Symfony\Component\Lock\Store\InMemoryStore;

/**
 * @internal Makes what RedisLockBundle registers, when it is asked for: only then are environment variables known.
 * @phpstan-import-type Options from \RedisLock as Parameters
 */
final class StoreFactory
{
	private const IN_MEMORY = 'in-memory';

	/**
	 * Options of \RedisLock; null: the locks are in memory. An array cannot be a service, and dumps must not show the password.
	 *
	 * @param array<mixed>|string|object $server options or a URI; "in-memory"; or a client of phpredis, Relay or Predis
	 * @param array $options merged over those of the server
	 * @param mixed $default the server of all locks: if it is "in-memory", so is every other one
	 */
	public static function options(
		#[\SensitiveParameter] array|string|object $server,
		#[\SensitiveParameter] array $options,
		#[\SensitiveParameter] mixed $default = null
	): \SensitiveParameterValue {
		if ($server === self::IN_MEMORY || $default === self::IN_MEMORY) {
			return new \SensitiveParameterValue(null);
		}
		foreach (['servers', 'sentinels', 'cluster'] as $list) {
			if (is_array($options[$list] ?? null) && $server !== []) {
				throw new \ValueError("Option \"$list\" says which servers there are, so it stands in place of the DSN: \"server: { $list: [...] }\".");
			}
		}

		return new \SensitiveParameterValue(Options::from($server, $options));
	}

	/** @param InMemoryStore $memory of the locks that would have the same server and prefix: they exclude each other, whatever their factories */
	public static function store(\SensitiveParameterValue $options, bool $process, float $initialTtl, bool $fence, InMemoryStore $memory): PersistingStoreInterface
	{
		/** @var Parameters|null $options */
		$options = $options->getValue();

		return $options === null ? $memory : ($process ? new ProcessLockStore($options, $fence) : new RedisLockStore($options, $initialTtl, $fence));
	}

	public static function locks(\SensitiveParameterValue $options): Locks
	{
		/** @var Parameters|null $options */
		$options = $options->getValue();

		return $options === null ? new ArrayLockFactory() : new Locks($options);
	}
}
