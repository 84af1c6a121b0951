<?php

declare(strict_types=1);

namespace RedisLock\Async;

use Amp\Sync\KeyedMutex as AmpKeyedMutex;
use Amp\Sync\Lock;

/**
 * Amp's KeyedMutex across processes and machines: one holder a key. Call Revolt::install() first.
 *
 * @phpstan-import-type Options from \RedisLock as Parameters
 */
final class KeyedMutex implements AmpKeyedMutex
{
	private readonly KeyedSemaphore $semaphore;

	/**
	 * @param Parameters|string $params as for \RedisLock; the locks are process-bound unless `renew` is false
	 * @throws \ValueError|\TypeError an option is wrong
	 */
	public function __construct(#[\SensitiveParameter] array|string $params = [])
	{
		$this->semaphore = new KeyedSemaphore($params, 1);
	}

	public function acquire(string $key): Lock
	{
		return $this->semaphore->acquire($key);
	}
}
