<?php

declare(strict_types=1);

namespace RedisLock\Yii3;

use RedisLock\Adapter\Server;
use Yiisoft\Mutex\Exception\MutexReleaseException;
use Yiisoft\Mutex\MutexInterface;

/**
 * A mutex of Yii 3 with a lock of the redislock extension. MutexFactory creates it.
 *
 * It does not extend Yii's Mutex. That class has a list of the locks of the process by name, and an object that did not get
 * the lock removes the entry of the one that did. Here the server knows who has the lock.
 */
final class Mutex implements MutexInterface
{
	/** The process that acquired a lease here and did not release it since, also when that has expired. */
	private int|false|null $holder = null;

	private readonly \RedisLock $lock;

	/**
	 * @param string $key of this name
	 * @param float $ttl seconds
	 * @param bool $processBound else a lease
	 * @param int|null $retryDelay milliseconds
	 */
	public function __construct(
		private readonly string $name,
		private readonly Server $server,
		private readonly string $key,
		private readonly float $ttl,
		private readonly bool $processBound,
		?int $retryDelay = null
	) {
		$this->lock = $server->lock($key, ['ttl' => $ttl, 'renew' => $processBound, 'retry_ms' => $retryDelay]);
	}

	/** Like all mutexes of Yii 3. What has expired, or was inherited by a fork, is none of ours. */
	public function __destruct()
	{
		try {
			if ($this->lock->isHeld()) {
				$this->lock->release();
			}
		} catch (\RedisLock\ConnectionException) {
			// Nobody to tell it to. The key goes with its ttl.
		}
	}

	/**
	 * Returns a mutex of the same name that is not acquired yet. It polls with this delay while old code has the mutex.
	 *
	 * @param int $retryDelay milliseconds, at least 1
	 */
	public function withRetryDelay(int $retryDelay): self
	{
		if ($retryDelay < 1) {
			throw new \InvalidArgumentException("The retry delay must be at least 1 ms, not $retryDelay.");
		}

		return new self($this->name, $this->server, $this->key, $this->ttl, $this->processBound, $retryDelay);
	}

	public function acquire(int $timeout = 0): bool
	{
		if ($this->lock->isHeld()) {
			return false;
		}
		// Whole seconds and no less: the extension's clock ticks in milliseconds.
		$wait = $timeout > 0 ? $timeout + 0.001 : 0.0;

		if ($this->processBound) {
			return $this->lock->acquire(Server::wait($wait));
		}
		if (!Server::take($this->lock, $this->ttl, $wait)) {
			return false;
		}
		$this->holder = getmypid();

		return true;
	}

	public function release(): void
	{
		// The loss of a process-bound lock is told by a LockLostException.
		if (!$this->lock->isHeld() && $this->holder !== getmypid()) {
			return;
		}
		$released = $this->lock->release();
		$this->holder = null;
		if (!$released) {
			throw new MutexReleaseException("Unable to release the \"$this->name\" mutex: it was lost.");
		}
	}
}
