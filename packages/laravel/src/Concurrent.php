<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use Illuminate\Contracts\Cache\Store;

/**
 * A job middleware: at most so many of these jobs run at once, on all machines together. `new Concurrent(3)` is about jobs of one
 * class. With a key it is about those of the class with the same key, and with shared() about all jobs with that key.
 *
 * A permit lives as long as the process of the worker, so if a worker is killed, its permit is free at once. Everything else is as
 * in WithoutOverlapping. On several servers (`servers`), and in memory, block() does not wait.
 */
class Concurrent extends WithoutOverlapping
{
	public $prefix = 'laravel-queue-concurrent:';
	/** Seconds. */
	public float $wait = 0.0;

	/**
	 * @param int $permits how many run at once
	 * @param \UnitEnum|string $key
	 * @param \DateTimeInterface|int|null $releaseAfter seconds before a job is tried again that got no permit; null: never
	 * @param \DateTimeInterface|int $expiresAfter how long a permit stays if the whole machine vanishes; 0: 30 seconds
	 */
	public function __construct(public int $permits, $key = '', $releaseAfter = 0, $expiresAfter = 0)
	{
		parent::__construct($key, $releaseAfter, $expiresAfter);
	}

	/**
	 * Has the worker wait for a permit before it releases the job. It is woken when there is one, in the order in which workers came.
	 *
	 * @return $this
	 */
	public function block(float $seconds): static
	{
		$this->wait = $seconds;

		return $this;
	}

	protected function take(ProcessStores $stores, Store $store, string $key): ?BoundLock
	{
		return $stores->permit($store, $key, $this->permits, $this->expiresAfter, $this->wait);
	}
}
