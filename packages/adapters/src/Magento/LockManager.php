<?php

declare(strict_types=1);

namespace RedisLock\Magento;

use Magento\Framework\Lock\LockManagerInterface;
use RedisLock\Adapter\NamedLocks;
use RedisLock\Adapter\Server;

/**
 * Lock manager of Magento 2 with process-bound locks of the redislock extension: a lock lives as long as the request or the
 * command that has taken it, and is free at once when that is killed, as with Magento's lock in MySQL. If a lock is lost, a
 * RedisLock\LockLostException is thrown in the running code.
 */
class LockManager implements LockManagerInterface
{
	private readonly NamedLocks $locks;

	/**
	 * @param string $server a URI, as \RedisLock takes it
	 * @param string $prefix what every key begins with: shops that share a server need one each
	 * @param float $ttl seconds, at most 3600: how long a lock stays if the whole machine vanishes
	 */
	public function __construct(#[\SensitiveParameter] string $server, string $prefix = 'magento:', float $ttl = 30.0)
	{
		$this->locks = new NamedLocks((new Server($server))->under($prefix), $ttl);
	}

	/**
	 * @param int $timeout seconds to wait, woken by the release; negative: for ever
	 * @return bool false: another process has the lock, or this one holds it already
	 */
	public function lock(string $name, int $timeout = -1): bool
	{
		return $this->locks->take($name, $timeout < 0 ? INF : (float) $timeout);
	}

	/** @return bool false: not held by this process, or lost */
	public function unlock(string $name): bool
	{
		return $this->locks->release($name);
	}

	/** Does any process have the lock? */
	public function isLocked(string $name): bool
	{
		return $this->locks->holder($name) !== null;
	}
}
