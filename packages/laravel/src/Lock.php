<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use Illuminate\Cache\Lock as BaseLock;
use Illuminate\Contracts\Cache\LockTimeoutException;
use RedisLock\Adapter\Server;

/**
 * A lease. It lives until it is released or its seconds are over, whatever happens to this object. Laravel's contract
 * requires that. The server knows who holds the lock; the object only has the owner.
 *
 * @phpstan-import-type Options from \RedisLock
 */
class Lock extends BaseLock
{
	/** @var Options */
	protected array $options = [];
	private readonly bool $ownerIsOurs;
	/** Where we took it with our owner, and did not release it since: whatever prefix the connection has by now. */
	private ?Server $taken = null;
	/**
	 * A token of ours without an answer: it may have the key still, or a release of it be on its way to the server.
	 *
	 * @var array{Server, string}|null
	 */
	private ?array $spent = null;

	/**
	 * @param \Closure(): Server $server with the prefixes that its connection and the cache have at that moment
	 * @param string $name
	 * @param int|float|string $seconds 0: the lock does not expire
	 * @param string|int|float|\Stringable|null $owner null: one of our own, another one where the server failed us
	 * @param string|null $connectionName of config/database.php
	 * @param string|null $label shown by holder() to whoever asks who has the lock
	 */
	public function __construct(
		private readonly \Closure $server,
		$name,
		$seconds,
		$owner = null,
		private readonly ?string $connectionName = null,
		private readonly ?string $label = null
	) {
		$this->ownerIsOurs = $owner === null;
		// Waiters see by the form of this token that its holder will wake them.
		// @phpstan-ignore argument.type (seconds may have fractions)
		parent::__construct($name, $seconds === '' ? 0 : $seconds, (string) ($owner ?? \RedisLock::newToken($label)));
	}

	/**
	 * @internal
	 * @param Options $options permits; of a process-bound lock also interval, linger, max_hold
	 */
	public function withOptions(array $options): static
	{
		$this->options = $options + $this->options;

		return $this;
	}

	public function acquire()
	{
		return $this->acquireWithin(0.0);
	}

	/**
	 * @param int|float $seconds
	 * @param callable|null $callback
	 */
	public function block($seconds, $callback = null)
	{
		if (!$this->acquireWithin(max(0.0, Server::seconds($seconds)))) {
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
		return $this->restore()->keepAlive(Server::ttl(max(0.0, Server::seconds($seconds ?? $this->seconds))));
	}

	public function release()
	{
		$server = $this->server();
		$this->taken = null;

		return $this->spending($server, $this->owner, fn () => $this->free($server, $this->owner));
	}

	public function forceRelease()
	{
		$this->restore()->forceRelease();
		$this->taken = null;
	}

	/** Of the connection in config/database.php whose server has the lock. */
	public function getConnectionName(): ?string
	{
		return $this->connectionName;
	}

	protected function getCurrentOwner()
	{
		// @phpstan-ignore return.type (nobody: also in Laravel's own)
		return $this->restore()->holder()['token'] ?? null;
	}

	/** Where the lock is that this object took; else, where it would take one now. */
	protected function server(): Server
	{
		return $this->taken ?? ($this->server)();
	}

	/**
	 * @param array{token?: string, label?: string|null} $owner
	 * @return string|null the token; null: somebody else has it
	 */
	protected function take(Server $server, array $owner, float $seconds): ?string
	{
		$options = ['ttl' => Server::ttl(max(0.0, Server::seconds($this->seconds))), 'permits' => $this->options['permits'] ?? null] + $owner;
		if ($seconds > 0) {
			$options['retry_ms'] = $this->retry();
		}

		return $server->acquire($this->name, $options, $seconds);
	}

	protected function free(Server $server, string $owner): bool
	{
		return $this->restored($server, $owner)->release();
	}

	/** Milliseconds between two looks where nobody will wake us, because the holder is of another make. */
	protected function retry(): int
	{
		return max(1, (int) $this->sleepMilliseconds);
	}

	private function restore(): \RedisLock
	{
		return $this->restored($this->server(), $this->owner);
	}

	private function restored(Server $server, string $owner): \RedisLock
	{
		// Nobody holds anything by the name of nobody.
		return $owner === '' ? $server->lock($this->name) : $server->restore($this->name, $owner, ['permits' => $this->options['permits'] ?? null]);
	}

	/**
	 * @template T
	 * @param \Closure(): T $step which sends a release of this owner, or may leave the key to it where it fails
	 * @return T
	 */
	private function spending(Server $server, string $owner, \Closure $step): mixed
	{
		try {
			return $step();
		} catch (\RedisLock\ConnectionException $e) {
			$this->spent = $this->ownerIsOurs ? [$server, $owner] : null;
			throw $e;
		}
	}

	private function acquireWithin(float $seconds): bool
	{
		if ($this->spent !== null) {
			// With seconds 0 it would have the key for ever once nobody knows it any more.
			[$server, $owner] = $this->spent;
			$this->free($server, $owner);
			if ($this->owner === $owner) {
				$this->owner = \RedisLock::newToken($this->label);
			}
			$this->spent = null;
		}
		// A fresh one for every acquisition, unless the caller has named the owner.
		$owner = $this->taken !== null && $this->ownerIsOurs ? \RedisLock::newToken($this->label) : $this->owner;
		$server = ($this->server)();
		// Several servers make one themselves.
		$by = $this->ownerIsOurs && !$server->takesTokens() ? ['label' => $this->label] : ['token' => $owner];
		$taken = $this->spending($server, $owner, fn () => $this->take($server, $by, $seconds));
		if ($taken === null) {
			return false;
		}
		[$this->owner, $this->taken] = [$taken, $server];

		return true;
	}
}
