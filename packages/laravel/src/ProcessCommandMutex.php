<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use Illuminate\Console\CacheCommandMutex;
use Illuminate\Contracts\Cache\Factory;

/**
 * "php artisan some:command --isolated", with a lock that lives as long as the process: a command that is killed may run again
 * at once. isolationLockExpiresAt() has no effect.
 */
class ProcessCommandMutex extends CacheCommandMutex
{
	/** @var array<string, BoundLock> by name */
	private array $taken = [];

	public function __construct(Factory $cache, private readonly ProcessStores $stores)
	{
		parent::__construct($cache);
	}

	public function create($command)
	{
		$store = $this->stores->find($this->store);
		if ($store === null) {
			return parent::create($command);
		}
		$name = $this->commandMutexName($command);
		$lock = $store->processLock($name);
		if (!$lock->acquire()) {
			return false;
		}
		$this->taken[$name] = $lock;

		return true;
	}

	public function exists($command)
	{
		$store = $this->stores->find($this->store);

		return $store === null ? parent::exists($command) : !$store->lease($this->commandMutexName($command))->isOwnedBy(null);
	}

	public function forget($command)
	{
		$name = $this->commandMutexName($command);
		$lock = $this->taken[$name] ?? null;
		unset($this->taken[$name]);

		return $lock === null ? parent::forget($command) : $lock->release();
	}
}
