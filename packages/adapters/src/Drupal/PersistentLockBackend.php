<?php

declare(strict_types=1);

namespace RedisLock\Drupal;

use RedisLock\Adapter\Server;

/**
 * Drupal's service "lock.persistent" with leases of the redislock extension: a lock outlives the request that has acquired it,
 * until any request releases it or its time is over.
 */
class PersistentLockBackend extends LockBackend
{
	/** Drupal's own backend has this id, too: all requests are the same owner. */
	private const OWNER = 'persistent';

	public function getLockId()
	{
		return self::OWNER;
	}

	/** A lock that this object has acquired is extended; that of another request is refused. */
	public function acquire($name, $timeout = 30.0)
	{
		$name = (string) $name;
		$ttl = Server::ttl(max(0.001, Server::seconds($timeout)));
		if (isset($this->locks[$name])) {
			$extended = $this->server->restore($name, self::OWNER)->keepAlive($ttl);
			if (!$extended) {
				unset($this->locks[$name]);
			}

			return $extended;
		}
		$this->locks[$name] = $this->server->acquire($name, ['ttl' => $ttl, 'token' => self::OWNER], 0.0);

		return isset($this->locks[$name]);
	}

	/** Also that of another request. */
	public function release($name)
	{
		$name = (string) $name;
		unset($this->locks[$name]);
		$this->server->restore($name, self::OWNER)->release();
	}

	/** Those that this object has acquired. */
	public function releaseAll($lock_id = null)
	{
		foreach (array_keys(array_filter($this->locks)) as $name) {
			$this->release((string) $name);
		}
	}
}
