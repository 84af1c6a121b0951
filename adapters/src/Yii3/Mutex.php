<?php

declare(strict_types=1);

namespace RedisLock\Yii3;

/**
 * A mutex of Yii 3, kept by the redislock extension: MutexFactory makes them. Its key is that of
 * Yiisoft\Mutex\Redis\RedisMutex.
 */
final class Mutex extends \Yiisoft\Mutex\Mutex
{
	/** @param \RedisLock $lock with the key of this name */
	public function __construct(string $name, private readonly \RedisLock $lock)
	{
		parent::__construct(self::class, $name);
	}

	protected function acquireLock(int $timeout = 0): bool
	{
		return $this->lock->acquire((float) $timeout);
	}

	protected function releaseLock(): bool
	{
		// What has expired, or was inherited by a fork, is none of ours: destructors come here, too.
		return !$this->lock->isHeld() || $this->lock->release();
	}
}
