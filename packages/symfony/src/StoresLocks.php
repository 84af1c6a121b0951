<?php

declare(strict_types=1);

namespace RedisLock\Symfony;

use RedisLock\Adapter\Server;
use Symfony\Component\Lock\Exception\InvalidArgumentException;
use Symfony\Component\Lock\Exception\LockStorageException;
use Symfony\Component\Lock\Key;

/** @internal What the stores of the Lock component have in common. */
trait StoresLocks
{
	private readonly Server $server;

	public function save(Key $key): void
	{
		$this->store($key, false, 0.0);
	}

	public function saveRead(Key $key): void
	{
		$this->store($key, $this->server->allowsMany(), 0.0);
	}

	public function waitAndSave(Key $key): void
	{
		$this->store($key, false, INF);
	}

	public function waitAndSaveRead(Key $key): void
	{
		$this->store($key, $this->server->allowsMany(), INF);
	}

	/** Has the key have the lock, shared with others or not, within so many seconds. */
	abstract private function store(Key $key, bool $shared, float $wait): void;

	/**
	 * Trouble with the server or with what the key holds, and a name that we refuse, in the component's words.
	 *
	 * @template T
	 * @param \Closure(): T $question
	 * @return T
	 */
	private function ask(\Closure $question): mixed
	{
		try {
			return $question();
		} catch (\RedisLock\LockLostException $e) {
			// Of another lock, in the middle of this question.
			throw $e;
		} catch (\RedisLock\Exception $e) {
			throw new LockStorageException($e->getMessage(), 0, $e);
		} catch (\ValueError $e) {
			throw new InvalidArgumentException($e->getMessage(), 0, $e);
		}
	}

	/**
	 * Makes the reader the writer, or the writer a reader. While others read, acquire(true) tries again like that of Symfony's own
	 * store, but no longer than the lock has left: two readers who wait for each other are both told.
	 */
	private function change(\RedisLock $lock, bool $shared, bool $waits): bool
	{
		if ($shared) {
			return $this->ask($lock->downgrade(...));
		}
		$until = hrtime(true) + ($waits ? (int) ($lock->remaining() * 1e9) : 0);
		while (!$this->ask($lock->upgrade(...))) {
			if (!$lock->isHeld() || hrtime(true) >= $until) {
				return false;
			}
			usleep(random_int(90_000, 110_000));
		}

		return true;
	}
}
