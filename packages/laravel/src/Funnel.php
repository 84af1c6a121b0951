<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use Illuminate\Cache\Limiters\ConcurrencyLimiterBuilder;
use Illuminate\Cache\Limiters\LimiterTimeoutException;
use Illuminate\Contracts\Cache\LockTimeoutException;

/**
 * Cache::funnel() of a store with the driver "redislock". A try is one request whatever the limit is, and who waits is woken when a
 * permit is free, in the order in which callers came. In a store with 'process' => true, a permit lives as long as the process.
 *
 * Its key is "funnel:" and the name, where Laravel's own has a key for each of the permits: the two do not count each other.
 */
class Funnel extends ConcurrencyLimiterBuilder
{
	/** @internal */
	public static function key(string $name): string
	{
		return "funnel:$name";
	}

	public function then(callable $callback, ?callable $failure = null)
	{
		/** @var RedisLockStore $store */
		$store = $this->connection->getStore();
		$bound = $store->isProcessBound();
		$permit = $store->permit(self::key($this->name), $this->maxLocks, $bound ? 0 : $this->releaseAfter, $bound)
			->betweenBlockedAttemptsSleepFor($this->sleep);
		try {
			$permit->block($this->timeout);
		} catch (LockTimeoutException) {
			$e = new LimiterTimeoutException;

			return $failure === null ? throw $e : $failure($e);
		}
		try {
			return $callback();
		} finally {
			$permit->release();
		}
	}
}
