<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

/**
 * A lock bound to its process, see RedisLockStore::processLock(). Unlike a lease it is also freed when this object is
 * destroyed.
 */
class ProcessLock extends Lock
{
	private ?\RedisLock $lock = null;

	public function refresh($seconds = null)
	{
		return $this->lock?->keepAlive($seconds > 0 ? (float) $seconds : null) ?? false;
	}

	public function release()
	{
		return $this->lock?->release() ?? false;
	}

	protected function acquireWithin(float $seconds): bool
	{
		// One and the same object: the end of another one with this owner would free the key.
		$this->lock ??= $this->server->lock($this->name, ['renew' => true, 'token' => $this->owner, 'retry' => $this->retry(),
			'ttl' => $this->seconds > 0 ? (float) $this->seconds : null]);

		return !$this->lock->isHeld() && $this->lock->acquire($seconds);
	}
}
