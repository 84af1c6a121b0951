<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use Illuminate\Cache\ArrayStore;
use Illuminate\Cache\FailoverStore;
use Illuminate\Cache\MemoizedStore;
use Illuminate\Cache\NullStore;
use Illuminate\Contracts\Cache\Factory;
use Illuminate\Contracts\Cache\LockTimeoutException;
use Illuminate\Contracts\Cache\Store;
use Illuminate\Contracts\Config\Repository as Config;

/** @internal Finds the store with the process-bound locks of an application. */
final class ProcessStores
{
	/** For stores that keep nothing. */
	private ?ArrayStore $memory = null;

	public function __construct(private readonly Factory $cache, private readonly Config $config)
	{
	}

	/**
	 * @param string|null $name of a store; null: the application's
	 * @return RedisLockStore|null null: the named store is of another kind, or the application's locks are in memory
	 */
	public function find(?string $name): ?RedisLockStore
	{
		$store = $this->withLocks($this->cache->store($name)->getStore());
		if ($name === null && ($store === null || $store instanceof RedisLockStore && $this->config->get('redislock.store') !== null)) {
			$store = $this->configured();
		}

		return $store instanceof RedisLockStore ? $store : null;
	}

	/**
	 * A process-bound lock of any store: its own, one in memory if that is where its data is, else one of the application's
	 * store for locks.
	 *
	 * @param int|float|string $seconds as for RedisLockStore::processLock()
	 * @param string|int|float|\Stringable|null $owner as for RedisLockStore::processLock()
	 */
	public function lock(Store $store, string $name, $seconds = 0, $owner = null): BoundLock
	{
		$store = $this->withLocks($store) ?? $this->configured();

		return $store instanceof ArrayStore ? new MemoryLock($store, $name, $owner) : $store->processLock($name, $seconds, $owner);
	}

	/**
	 * Takes one of the permits of a name, wherever lock() would have a lock of it.
	 *
	 * @param int|float|string $seconds as for lock()
	 * @param float $wait seconds; in memory nobody waits, and on several servers neither
	 * @return BoundLock|null null: others hold all of them
	 */
	public function permit(Store $store, string $name, int $permits, $seconds, float $wait): ?BoundLock
	{
		$store = $this->withLocks($store) ?? $this->configured();
		if ($store instanceof RedisLockStore && $store->hasPermits()) {
			$permit = $store->processLock($name, $seconds)->withOptions(['permits' => $permits]);
			try {
				$permit->block($wait);
			} catch (LockTimeoutException) {
				return null;
			}

			return $permit;
		}
		// As Laravel's own funnels: a lock for each.
		for ($number = 1; $number <= $permits; $number++) {
			$lock = $this->lock($store, "$name:$number", $seconds);
			if ($lock->get()) {
				return $lock;
			}
		}

		return null;
	}

	/** The store itself or one behind it. An ArrayStore: its locks are in memory, as in the tests of an application. */
	private function withLocks(Store $store): RedisLockStore|ArrayStore|null
	{
		return match (true) {
			$store instanceof RedisLockStore, $store instanceof ArrayStore => $store,
			// It has no locks of its own: all are free.
			$store instanceof NullStore => $this->memory ??= new ArrayStore,
			$store instanceof MemoizedStore => $this->withLocks((fn () => $this->repository->getStore())->call($store)),
			$store instanceof FailoverStore => $this->firstOf((fn () => $this->stores)->call($store)),
			default => null,
		};
	}

	/** @param array<string> $names of the stores of a failover; a lock is always on the same one, wherever the data is */
	private function firstOf(array $names): RedisLockStore|ArrayStore|null
	{
		$found = array_map(fn (string $name): RedisLockStore|ArrayStore|null => $this->withLocks($this->cache->store($name)->getStore()), array_values($names));

		return array_values(array_filter($found, static fn ($store) => $store instanceof RedisLockStore))[0]
			?? (($found[0] ?? null) instanceof ArrayStore ? $found[0] : null);
	}

	/** The one that config/redislock.php names. */
	private function configured(): RedisLockStore|ArrayStore
	{
		/** @var string $name */
		$name = $this->config->get('redislock.store') ?? 'redislock';
		$store = $this->config->get("cache.stores.$name") === null ? null : $this->cache->store($name)->getStore();

		return ($store === null ? null : $this->withLocks($store)) ?? throw new \LogicException('This cache store has no ' .
			"process-bound locks, and config/cache.php has no store \"$name\" with the driver \"redislock\" for them.");
	}
}
