<?php

declare(strict_types=1);

namespace RedisLock\Yii3;

use RedisLock\Adapter\Server;
use Yiisoft\Mutex\Exception\MutexReleaseException;
use Yiisoft\Mutex\MutexInterface;

/**
 * A mutex of Yii 3, kept by the redislock extension; MutexFactory makes them.
 *
 * Not a subclass of Yii's Mutex, which keeps a list of the process's locks by name: the end of an object that did not get
 * the lock strikes out the one that did. Here the server knows.
 */
final class Mutex implements MutexInterface
{
	/** @param \RedisLock $lock with the key of this name */
	public function __construct(private readonly string $name, private readonly \RedisLock $lock)
	{
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

	public function acquire(int $timeout = 0): bool
	{
		// Whole seconds and no less: the extension's clock ticks in milliseconds.
		return !$this->lock->isHeld() && $this->lock->acquire($timeout > 0 ? Server::wait($timeout + 0.001) : 0.0);
	}

	public function release(): void
	{
		if ($this->lock->isHeld() && !$this->lock->release()) {
			throw new MutexReleaseException("Unable to release the \"$this->name\" mutex: it was lost.");
		}
	}
}
