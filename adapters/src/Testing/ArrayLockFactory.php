<?php

declare(strict_types=1);

namespace RedisLock\Testing;

use RedisLock\Lock;
use RedisLock\LockFactory;

/**
 * A LockFactory for unit tests: its locks are in memory, and behave as those on a server.
 *
 * Needs neither a server nor the extension. Time stands still, but for advance() and while somebody waits: then the clock
 * goes on, at once, to what ends the wait. Each lock object is a client of its own, as if it were in another process.
 */
final class ArrayLockFactory extends LockFactory
{
	private readonly ArrayServer $server;
	/** @var array<string, mixed> */
	private readonly array $defaults;

	/**
	 * Takes what LockFactory takes. What concerns the server is without effect, a URI as a whole.
	 *
	 * @param array<string, mixed>|string $params
	 * @param array<string, mixed> $options
	 */
	public function __construct(
		#[\SensitiveParameter] array|string $params = [],
		#[\SensitiveParameter] array $options = []
	) {
		$this->server = new ArrayServer();
		$this->defaults = $options + (is_array($params) ? $params : []);
		$this->lock('any');
	}

	public function lock(string $name, #[\SensitiveParameter] array $options = []): Lock
	{
		return new ArrayLock($this->server, $this->options($name, $options));
	}

	public function restore(
		string $name,
		#[\SensitiveParameter] string $token,
		#[\SensitiveParameter] array $options = []
	): Lock {
		return new ArrayLock($this->server, $this->options($name, $options), LockOptions::string('token', $token));
	}

	/** Seconds since this factory was made. */
	public function now(): float
	{
		return $this->server->now() / 1000;
	}

	/**
	 * Moves the clock: ttls end, process-bound locks are renewed, and what after() has planned happens on the way.
	 *
	 * @throws \RedisLock\LockLostException a process-bound lock turns out to be lost; on a server, that would interrupt
	 *     the running code
	 */
	public function advance(float $seconds): void
	{
		$this->server->advance($this->server->now() + LockOptions::ms($seconds, true, false, __METHOD__ . '(): Argument #1 ($seconds)'));
	}

	/** Has $code run when the clock has gone on by so much: what somebody else does while your code works or waits. */
	public function after(float $seconds, callable $code): void
	{
		$at = $this->server->now() + LockOptions::ms($seconds, true, false, __METHOD__ . '(): Argument #1 ($seconds)');
		$this->server->schedule($at, $code(...));
	}

	/**
	 * Takes the lock away from whoever holds it, as a server does that has lost its memory.
	 *
	 * @param string $name with its prefix, if there is one
	 * @throws \RedisLock\LockLostException it was process-bound: what would interrupt the running code comes out of here. Call
	 *     it inside what runs under the lock
	 */
	public function lose(string $name): void
	{
		$this->server->lose($name);
	}

	/**
	 * The names that are taken now, with their prefixes: what a test finds here at its end was not released.
	 *
	 * @return list<string>
	 */
	public function taken(): array
	{
		return $this->server->keys();
	}

	/** @param array<string, mixed> $options */
	private function options(string $name, #[\SensitiveParameter] array $options): LockOptions
	{
		$given = array_filter($options, static fn (mixed $value): bool => $value !== null);

		return new LockOptions(['name' => $name] + $given + $this->defaults);
	}
}
