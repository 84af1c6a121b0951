<?php

declare(strict_types=1);

namespace RedisLock\Drupal;

use Drupal\Core\Lock\LockBackendAbstract;
use RedisLock\Adapter\NamedLocks;
use RedisLock\Adapter\Server;

/**
 * Drupal's service "lock" with process-bound locks of the redislock extension: a lock lives as long as its request, and is free
 * at once when the process of the request is killed. If a lock is lost, a RedisLock\LockLostException is thrown in the running
 * code. wait() is woken by the release.
 *
 * For "lock.persistent" there is PersistentLockBackend.
 */
class LockBackend extends LockBackendAbstract
{
	protected readonly Server $server;
	private readonly NamedLocks $bound;

	/**
	 * @param array<mixed>|string $server as RedisLock\Options::from() takes it
	 * @param string $prefix what every key begins with: sites that share a server need one each
	 */
	public function __construct(#[\SensitiveParameter] array|string $server, string $prefix = 'drupal:')
	{
		$this->server = (new Server($server))->under($prefix);
		$this->bound = new NamedLocks($this->server);
	}

	/**
	 * @param float $timeout seconds, above 0: how long the lock stays if the whole machine vanishes. For a lock that is held, the
	 * same from now on
	 */
	public function acquire($name, $timeout = 30.0)
	{
		$name = (string) $name;
		$ttl = Server::ttl(max(0.001, Server::seconds($timeout)), true);
		$lock = $this->bound->find($name);
		if ($lock === null) {
			return $this->bound->take($name, 0.0, ['ttl' => $ttl]);
		}
		if ($lock->keepAlive($ttl)) {
			return true;
		}
		$this->bound->release($name);

		return false;
	}

	public function lockMayBeAvailable($name)
	{
		return $this->server->lock((string) $name)->holder() === null;
	}

	/** Waits in the queue of the lock, and passes it on: callers may or may not acquire it then. */
	public function wait($name, $delay = 30)
	{
		$lock = $this->server->lock((string) $name);
		if (!$lock->acquire(Server::wait(max(0.0, Server::seconds($delay))))) {
			return true;
		}
		$lock->release();

		return false;
	}

	public function release($name)
	{
		$this->bound->release((string) $name);
	}

	/** Nothing is done for another request: its locks end with it. */
	public function releaseAll($lock_id = null)
	{
		if ($lock_id === null || $lock_id === $this->getLockId()) {
			$this->bound->releaseAll();
		}
	}
}
