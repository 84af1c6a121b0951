<?php

declare(strict_types=1);

namespace RedisLock\Adapter;

/**
 * @internal The process-bound locks of a framework that knows its locks by their names alone.
 * @phpstan-import-type Options from \RedisLock
 */
final class NamedLocks
{
	/** @var array<string, \RedisLock> acquired and not released since; some may have been lost, or be a forked parent's */
	private array $locks = [];

	/** @param float $ttl seconds: how long a lock stays if the whole machine vanishes */
	public function __construct(private readonly Server $server, private readonly float $ttl = 30.0)
	{
	}

	/**
	 * @param float $wait seconds, as for \RedisLock::acquire()
	 * @param Options $options further ones of the lock
	 * @return bool false: another process has it, or this one holds it already
	 */
	public function take(string $name, float $wait = 0.0, array $options = []): bool
	{
		if ($this->find($name)?->isHeld()) {
			return false;
		}
		unset($this->locks[$name]);
		$lock = $this->server->lock($name, ['renew' => true] + $options + ['ttl' => Server::ttl($this->ttl, true)]);
		if (!$lock->acquire(Server::wait($wait))) {
			return false;
		}
		$this->locks[$name] = $lock;

		return true;
	}

	/** What take() has taken, also if it was lost since. */
	public function find(string $name): ?\RedisLock
	{
		return $this->locks[$name] ?? null;
	}

	/** @return bool false: not held, or lost */
	public function release(string $name): bool
	{
		$lock = $this->find($name);
		unset($this->locks[$name]);

		return $lock?->release() ?? false;
	}

	public function releaseAll(): void
	{
		foreach (array_keys($this->locks) as $name) {
			$this->release((string) $name);
		}
	}

	/** The token of whoever has the lock, here or elsewhere; null: nobody. */
	public function holder(string $name): ?string
	{
		return $this->server->lock($name)->holder()['token'] ?? null;
	}
}
