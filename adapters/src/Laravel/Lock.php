<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use Illuminate\Cache\Lock as BaseLock;
use Illuminate\Contracts\Cache\LockTimeoutException;
use RedisLock\Adapter\Extension;
use RedisLock\Adapter\Server;

/**
 * A lease. It lives until it is released or its seconds are over, whatever happens to this object. Laravel's contract
 * requires that. The server knows who holds the lock; the object only has the owner.
 */
class Lock extends BaseLock
{
	private readonly bool $ownerIsOurs;
	/** Whether we took it with our owner, and did not release it since. */
	private bool $taken = false;
	/** A token of ours without an answer: it may have the key still, or a release of it be on its way to the server. */
	private ?string $spent = null;

	/**
	 * @param string $name with the cache's prefix; that of the connection is the server's
	 * @param int|float|string $seconds 0: the lock does not expire
	 * @param string|int|float|\Stringable|null $owner null: one of our own, another one where the server failed us
	 * @param string|null $connectionName of config/database.php
	 */
	public function __construct(
		protected readonly Server $server,
		$name,
		$seconds,
		$owner = null,
		private readonly ?string $connectionName = null
	) {
		Extension::need();
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
		$this->taken = false;

		return $this->spending($this->owner, fn () => $this->free($this->owner));
	}

	public function forceRelease()
	{
		$this->restore()->forceRelease();
		$this->taken = false;
	}

	/** Of the connection in config/database.php whose server has the lock. */
	public function getConnectionName(): ?string
	{
		return $this->connectionName;
	}

	protected function getCurrentOwner()
	{
		return $this->restore()->holder()['token'] ?? null;
	}

	protected function take(float $seconds): bool
	{
		// A fresh one for every acquisition, unless the caller has named the owner.
		$owner = $this->taken && $this->ownerIsOurs ? \RedisLock::newToken() : $this->owner;
		$options = ['ttl' => Server::ttl(max(0.0, (float) $this->seconds)), 'token' => $owner];
		if ($seconds > 0) {
			$options['retry'] = $this->retry();
		}
		if (!$this->spending($owner, fn () => $this->server->acquire($this->name, $options, $seconds) !== null)) {
			return false;
		}
		$this->owner = $owner;

		return $this->taken = true;
	}

	protected function free(string $owner): bool
	{
		return $this->restore($owner)->release();
	}

	/** @param \Closure(): bool $step which sends a release of this owner, or may leave the key to it where it fails */
	protected function spending(string $owner, \Closure $step): bool
	{
		try {
			return $step();
		} catch (\RedisLock\ConnectionException $e) {
			$this->spent = $this->ownerIsOurs ? $owner : null;
			throw $e;
		}
	}

	/** Milliseconds between two looks where nobody will wake us, because the holder is of another make. */
	protected function retry(): int
	{
		return max(1, (int) $this->sleepMilliseconds);
	}

	protected function restore(?string $owner = null): \RedisLock
	{
		$owner ??= $this->owner;

		// Nobody holds anything by the name of nobody.
		return $owner === '' ? $this->server->lock($this->name) : $this->server->restore($this->name, $owner);
	}

	private function acquireWithin(float $seconds): bool
	{
		if ($this->spent !== null) {
			// With seconds 0 it would have the key for ever once nobody knows it any more.
			$this->free($this->spent);
			if ($this->owner === $this->spent) {
				$this->owner = \RedisLock::newToken();
			}
			$this->spent = null;
		}

		return $this->take($seconds);
	}
}
