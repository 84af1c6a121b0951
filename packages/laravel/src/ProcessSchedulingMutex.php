<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use DateTimeInterface;
use Illuminate\Console\Scheduling\CacheSchedulingMutex;
use Illuminate\Console\Scheduling\Event;
use Illuminate\Contracts\Cache\Factory;

/**
 * onOneServer() of the scheduler. Its locks outlive the process on purpose, also on a store whose locks are process-bound: the
 * clock of another host may be late.
 */
class ProcessSchedulingMutex extends CacheSchedulingMutex
{
	/** Seconds, as Laravel's own. */
	private const EXPIRY = 3600;

	public function __construct(Factory $cache, private readonly ProcessStores $stores)
	{
		parent::__construct($cache);
	}

	public function create(Event $event, DateTimeInterface $time)
	{
		return $this->lease($event, $time)?->acquire() ?? parent::create($event, $time);
	}

	public function exists(Event $event, DateTimeInterface $time)
	{
		$lease = $this->lease($event, $time);

		return $lease === null ? parent::exists($event, $time) : !$lease->isOwnedBy(null);
	}

	private function lease(Event $event, DateTimeInterface $time): ?Lock
	{
		return $this->stores->find($this->store)?->lease($event->mutexName() . $time->format('Hi'), self::EXPIRY);
	}
}
