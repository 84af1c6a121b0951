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
	private readonly bool $ownerIsOurs;
	/** Whether a release of this owner may still be on its way to the server. */
	private bool $ownerIsSpent = false;

	/**
	 * @param string $name with the cache's prefix; that of the connection is the server's
	 * @param int|float|string $seconds 0: the lock does not expire
	 * @param string|int|float|\Stringable|null $owner null: one of our own, another one where the server failed us
	 */
	public function __construct(protected readonly Server $server, $name, $seconds, $owner = null)
	{
		$this->ownerIsOurs = $owner === null;
		// Waiters see by the form of this token that its holder will wake them.
		parent::__construct($name, $seconds, (string) ($owner ?? \RedisLock::newToken()));
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
		return $this->restore()->keepAlive(Server::ttl(max(0.0, (float) ($seconds ?? $this->seconds))));
	}

	public function release()
	{
		return $this->spending($this->free(...));
	}

	public function forceRelease()
	{
		$this->restore()->forceRelease();
	}

	protected function getCurrentOwner()
	{
		return $this->restore()->holder()['token'] ?? null;
	}

	protected function take(float $seconds): bool
	{
		$options = ['ttl' => Server::ttl(max(0.0, (float) $this->seconds)), 'token' => $this->owner];
		if ($seconds > 0) {
			$options['retry'] = $this->retry();
		}

		return $this->server->acquire($this->name, $options, $seconds) !== null;
	}

	protected function free(): bool
	{
		return $this->restore()->release();
	}

	/** Milliseconds between two looks where nobody will wake us, because the holder is of another make. */
	protected function retry(): int
	{
		return max(1, (int) $this->sleepMilliseconds);
	}

	private function acquireWithin(float $seconds): bool
	{
		if ($this->ownerIsSpent && $this->ownerIsOurs) {
			// It may have the key still, and with seconds 0 for ever once nobody knows it any more.
			$this->free();
			$this->owner = \RedisLock::newToken();
			$this->ownerIsSpent = false;
		}

		return $this->spending(fn () => $this->take($seconds));
	}

	/** @param \Closure(): bool $step which sends a release itself, or leaves one to be sent behind it where it fails */
	private function spending(\Closure $step): bool
	{
		try {
			return $step();
		} catch (\RedisLock\ConnectionException $e) {
			$this->ownerIsSpent = true;
			throw $e;
		}
	}

	private function restore(): \RedisLock
	{
		// Nobody holds anything by the name of nobody.
		return $this->owner === '' ? $this->server->lock($this->name) : $this->server->restore($this->name, $this->owner);
	}
}
