<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use Illuminate\Container\Container;
use Illuminate\Contracts\Cache\Factory as Cache;
use Illuminate\Contracts\Cache\Store;
use Illuminate\Queue\Middleware\WithoutOverlapping as BaseWithoutOverlapping;
use RedisLock\ConnectionException;
use RedisLock\LockLostException;

/**
 * Laravel's job middleware, with a lock that lives as long as the process of the worker. You do not have to guess an expiry,
 * and if a worker is killed, its key is free at once.
 *
 * The keys are those of Laravel's own middleware. expireAfter() does not limit the job. It says how long the key stays if the
 * whole machine vanishes (default 30 seconds). If the lock is lost, the job fails with a RedisLock\LockLostException, and is retried as it says.
 */
class WithoutOverlapping extends BaseWithoutOverlapping
{
	/** The cache store with the locks; null: the default store. One that has no such locks leaves them to config/redislock.php. */
	public ?string $store = null;

	/** @return $this */
	public function onStore(string $store): static
	{
		$this->store = $store;

		return $this;
	}

	/**
	 * @param \Illuminate\Contracts\Queue\Job $job or one with InteractsWithQueue
	 * @param callable(mixed): mixed $next
	 */
	public function handle($job, $next)
	{
		$container = Container::getInstance();
		$store = $container->make(Cache::class)->store($this->store)->getStore();
		$lock = $this->take($container->make(ProcessStores::class), $store, $this->getLockKey($job));
		if ($lock === null) {
			if ($this->releaseAfter !== null) {
				// @phpstan-ignore argument.type (InteractsWithQueue takes a time, too)
				$job->release($this->releaseAfter);
			}

			return;
		}
		try {
			$next($job);
		} catch (\Throwable $e) {
			self::release($lock);
			throw $e;
		}
		if (!self::release($lock)) {
			// Whether another job ran meanwhile, nobody knows. It is retried as if it had been interrupted.
			throw new LockLostException("lock \"{$this->getLockKey($job)}\" was lost: its key was deleted or has another owner");
		}
	}

	/** @return BoundLock|null null: another job has it */
	protected function take(ProcessStores $stores, Store $store, string $key): ?BoundLock
	{
		$lock = $stores->lock($store, $key, $this->expiresAfter);

		return $lock->get() ? $lock : null;
	}

	/** @return bool false: it was lost */
	private static function release(BoundLock $lock): bool
	{
		try {
			return $lock->release();
		} catch (ConnectionException $e) {
			// The job is done, or has an exception of its own that counts. The renewal child goes on trying.
			report($e);

			return true;
		}
	}
}
