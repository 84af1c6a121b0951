<?php

declare(strict_types=1);

namespace RedisLock\Testing;

use RedisLock\Adapter\AllLocks;
use RedisLock\Adapter\LockOptions;
use RedisLock\Adapter\OptionTable;
use RedisLock\Lock;
use RedisLock\LockFactory;
use RedisLock\Locks;
use RedisLock\ManagedLock;
use RedisLock\Options;

/**
 * A LockFactory for unit tests. Its locks are in memory, and behave as those on a server.
 *
 * It needs neither a server nor the extension. Time stands still, except for advance() and waits: a wait moves the clock at
 * once to the event that ends it. Each lock object is a separate client, as if it were in another process.
 */
final class ArrayLockFactory extends LockFactory
{
	private readonly ArrayServer $server;
	private readonly LockOptions $common;

	/** Takes the same arguments as LockFactory. Options of the server have no effect. */
	public function __construct(
		#[\SensitiveParameter] array|string $params = [],
		#[\SensitiveParameter] array $options = []
	) {
		$this->server = new ArrayServer();
		$this->common = new LockOptions([$options, Options::from($params)]);
	}

	public function managed(string $name, #[\SensitiveParameter] array $options = []): ManagedLock
	{
		return new ArrayLock($this->server, $this->options($name, $options));
	}

	public function restore(
		string $name,
		#[\SensitiveParameter] string $token,
		#[\SensitiveParameter] array $options = []
	): ManagedLock {
		return new ArrayLock($this->server, $this->options($name, $options), OptionTable::token($token));
	}

	/** Changes nothing: memory is never away. */
	public function whenUnavailable(Locks|string $then, float $pause = 5.0): static
	{
		parent::whenUnavailable($then, $pause);

		return $this;
	}

	/** Seconds since this factory was made. */
	public function now(): float
	{
		return $this->server->now() / 1000;
	}

	/**
	 * Moves the clock. Ttls end, process-bound locks are renewed, and calls planned with after() run on the way.
	 *
	 * @throws \RedisLock\LockLostException a process-bound lock is found to be lost; on a server, this would interrupt the
	 *     running code
	 */
	public function advance(float $seconds): void
	{
		$this->server->advance($this->server->now() + OptionTable::toMs($seconds, true, false, __METHOD__ . '(): Argument #1 ($seconds)'));
	}

	/** Runs $code when the clock has moved by $seconds. Use it for what another process does while your code works or waits. */
	public function after(float $seconds, callable $code): void
	{
		$at = $this->server->now() + OptionTable::toMs($seconds, true, false, __METHOD__ . '(): Argument #1 ($seconds)');
		$this->server->schedule($at, $code(...));
	}

	/**
	 * Takes the lock away from its holder, as a server does that has lost its memory.
	 *
	 * @param string $name with its prefix, if there is one
	 * @throws \RedisLock\LockLostException the lock was process-bound. This is the exception that would interrupt the running
	 *     code, so call this method inside the code that runs under the lock
	 */
	public function lose(string $name): void
	{
		$this->server->lose($name);
	}

	/**
	 * The names that are locked now, with their prefixes. Names that are left at the end of a test were not released.
	 *
	 * @return list<string>
	 */
	public function taken(): array
	{
		return $this->server->keys();
	}

	public function all(array $names, #[\SensitiveParameter] array $options = []): Lock
	{
		return new AllLocks($this, $names, $options, $this->options('any', $options), $this->now(...));
	}

	private function options(string $name, #[\SensitiveParameter] array $options): LockOptions
	{
		return $this->common->with(['name' => $name], array_diff_key($options, ['name' => 0]));
	}
}
