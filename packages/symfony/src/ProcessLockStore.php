<?php

declare(strict_types=1);

namespace RedisLock\Symfony;

use RedisLock\Adapter\Server;
use Symfony\Component\Lock\BlockingSharedLockStoreInterface;
use Symfony\Component\Lock\BlockingStoreInterface;
use Symfony\Component\Lock\Exception\InvalidTtlException;
use Symfony\Component\Lock\Exception\LockConflictedException;
use Symfony\Component\Lock\Key;

/**
 * A store of the Lock component whose locks live as long as the process that has acquired them. They are renewed while the
 * process runs, and freed at once when it is killed. If a lock is lost, a RedisLock\LockLostException is thrown in the running
 * code.
 *
 * A lock does not expire while the process lives. Its ttl says how long it stays if the whole machine vanishes. Keys cannot be
 * serialized. Locks of this store exclude those of RedisLockStore and of Symfony's RedisStore, and readers of all of them share a
 * lock. On several servers, and with fences, no lock is shared: acquireRead() does what acquire() does.
 */
final class ProcessLockStore implements BlockingStoreInterface, BlockingSharedLockStoreInterface
{
	use StoresLocks;

	/** Seconds: what can be renewed before it ends. */
	private const SHORTEST = 0.002;

	/** @var \WeakMap<Key, bool> whether others share what is held */
	private readonly \WeakMap $shared;
	/** @var \SplObjectStorage<Key, \RedisLock> what is held: also where the Lock was destroyed and does not release itself */
	private readonly \SplObjectStorage $locks;

	/**
	 * @param array<mixed>|string $server as RedisLock\Options::from() takes it
	 * @param bool $fence whether every acquisition gets a fencing number, see Fence; only on one server
	 */
	public function __construct(#[\SensitiveParameter] array|string $server = [], bool $fence = false)
	{
		$this->server = new Server($server, $fence);
		$this->locks = new \SplObjectStorage();
		$this->shared = new \WeakMap();
	}

	public function putOffExpiration(Key $key, float $ttl): void
	{
		$lock = $this->locks[$key] ?? throw new LockConflictedException();
		if ($ttl < self::SHORTEST) {
			// The Lock that has just saved it tells its caller that it failed.
			$this->delete($key);
			throw new InvalidTtlException(sprintf('%s() expects a ttl of at least %s, got %s.', __METHOD__, self::SHORTEST, $ttl));
		}
		if (!$this->ask(fn () => $lock->keepAlive(Server::ttl($ttl, true)))) {
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
			Fence::put($key, null);
			$this->ask($lock->release(...));
		}
	}

	private function store(Key $key, bool $shared, float $wait): void
	{
		$this->forgetLost();
		$lock = $this->locks[$key] ?? null;
		// What is held by our own clock may have been stolen all the same.
		if ($lock !== null && $this->ask(fn () => $lock->isHeld() && $lock->keepAlive())) {
			if ($this->shared[$key] !== $shared && !$this->change($lock, $shared, $wait > 0)) {
				throw new LockConflictedException();
			}
		} else {
			$lock = $this->ask(fn () => $this->server->lock((string) $key, ['renew' => true] + ($shared ? ['shared' => true] : [])));
			if (!$this->ask(fn () => $lock->acquire($wait))) {
				throw new LockConflictedException();
			}
		}
		$key->markUnserializable();
		$this->locks[$key] = $lock;
		$this->shared[$key] = $shared;
		Fence::put($key, $lock->getFence());
	}

	/** Those nobody has released, since they were lost, or have ended with their request. */
	private function forgetLost(): void
	{
		foreach (iterator_to_array($this->locks, false) as $key) {
			if ($this->locks[$key]->getToken() === null) {
				unset($this->locks[$key]);
			}
		}
	}
}
