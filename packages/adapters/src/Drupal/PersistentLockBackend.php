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
	/** Drupal's own backend has this id, too: all requests are the same owner. The locks have it as their label. */
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
			$extended = $this->server->restore($name, (string) $this->locks[$name])->keepAlive($ttl);
			if (!$extended) {
				unset($this->locks[$name]);
			}

			return $extended;
		}
		$this->locks[$name] = $this->server->acquire($name, ['ttl' => $ttl, 'label' => self::OWNER], 0.0);

		return isset($this->locks[$name]);
	}

	/** Also that of another request. */
	public function release($name)
	{
		$name = (string) $name;
		unset($this->locks[$name]);
		$lock = $this->server->lock($name);
		$holder = $lock->holder();
		// By its token: however late this is executed, it frees no lock that was acquired since.
		if (($holder['label'] ?? '') === self::OWNER) {
			$lock->forceRelease($holder['token']);
		}
	}

	/** Those that this object has acquired. */
	public function releaseAll($lock_id = null)
	{
		foreach (array_keys(array_filter($this->locks)) as $name) {
			$this->release((string) $name);
		}
	}
}
