<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use Illuminate\Cache\Lock as BaseLock;
use Illuminate\Contracts\Cache\LockTimeoutException;
use RedisLock\Adapter\Server;

/**
 * A lease: it stays locked until it is released or its seconds are over, whatever becomes of this object, as
 * Laravel's contract has it. The server knows who holds it; the object remembers nothing but the owner.
 */
class Lock extends BaseLock
{
	/**
	 * @param string $name with the cache's prefix; that of the connection is the server's
	 * @param int|float|string $seconds 0: the lock does not expire
	 */
	public function __construct(protected readonly Server $server, $name, $seconds, $owner = null)
	{
		// Waiters see by the form of this token that its holder will wake them.
		parent::__construct($name, $seconds, $owner ?? \RedisLock::newToken());
	}

	public function acquire()
	{
		return $this->acquireWithin(0.0);
	}

	public function block($seconds, $callback = null)
	{
		if (!$this->acquireWithin(max(0.0, (float) $seconds))) {
			throw new LockTimeoutException;
		}
		if (!is_callable($callback)) {
			return true;
		}
		try {
			return $callback();
		} finally {
			$this->release();
		}
	}

	public function refresh($seconds = null)
	{
		return $this->restore()->keepAlive(max(0.0, (float) ($seconds ?? $this->seconds)));
	}

	public function release()
	{
		return $this->restore()->release();
	}

	public function forceRelease()
	{
		$this->restore()->forceRelease();
	}

	protected function getCurrentOwner()
	{
		return $this->restore()->holder()['token'] ?? null;
	}

	protected function acquireWithin(float $seconds): bool
	{
		$options = ['ttl' => max(0.0, (float) $this->seconds), 'token' => $this->owner];
		if ($seconds > 0) {
			$options['retry'] = $this->retry();
		}

		return $this->server->acquire($this->name, $options, $seconds) !== null;
	}

	/** Milliseconds between two looks where nobody will wake us, because the holder is of another make. */
	protected function retry(): int
	{
		return max(1, (int) $this->sleepMilliseconds);
	}

	private function restore(): \RedisLock
	{
		return $this->server->restore($this->name, $this->owner);
	}
}
