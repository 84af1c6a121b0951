<?php

declare(strict_types=1);

namespace RedisLock\Symfony;

use RedisLock\Adapter\Server;
use Symfony\Component\Lock\BlockingStoreInterface;
use Symfony\Component\Lock\Exception\LockConflictedException;
use Symfony\Component\Lock\Key;

/**
 * Locks of the Lock component that live as long as the process that took them: renewed as long as it runs, freed at once
 * when it is killed. If one is lost all the same, a RedisLock\LockLostException is thrown in the code that runs.
 *
 * A lock's ttl says how long it outlives a machine that vanishes as a whole; it does not expire while the process lives.
 * Keys cannot be serialized. Locks of this store exclude those of RedisLockStore, and of Symfony's RedisStore.
 */
final class ProcessLockStore implements BlockingStoreInterface
{
	use StorageErrors;

	private readonly Server $server;
	/** @var \SplObjectStorage<Key, \RedisLock> what is held: also where the Lock was destroyed and does not release itself */
	private readonly \SplObjectStorage $locks;

	/** @param array|string $server connection options of \RedisLock, or a URI */
	public function __construct(#[\SensitiveParameter] array|string $server = [])
	{
		$this->server = new Server($server);
		$this->locks = new \SplObjectStorage();
	}

	public function save(Key $key): void
	{
		$this->acquire($key, 0.0);
	}

	public function waitAndSave(Key $key): void
	{
		$this->acquire($key, INF);
	}

	public function putOffExpiration(Key $key, float $ttl): void
	{
		$lock = $this->locks[$key] ?? null;
		if ($lock === null || !$this->ask(fn () => $lock->keepAlive($ttl))) {
			throw new LockConflictedException();
		}
	}

	public function exists(Key $key): bool
	{
		$lock = $this->locks[$key] ?? null;

		return $lock !== null && $this->ask($lock->isAcquired(...));
	}

	public function delete(Key $key): void
	{
		$lock = $this->locks[$key] ?? null;
		unset($this->locks[$key]);
		if ($lock !== null) {
			$this->ask($lock->release(...));
		}
	}

	private function acquire(Key $key, float $wait): void
	{
		$lock = $this->locks[$key] ?? $this->server->lock((string) $key, ['renew' => true]);
		if (!$lock->isHeld() && !$this->ask(fn () => $lock->acquire($wait))) {
			throw new LockConflictedException();
		}
		$key->markUnserializable();
		$this->locks[$key] = $lock;
	}
}
