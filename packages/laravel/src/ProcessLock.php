<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use RedisLock\Adapter\Server;

/**
 * A process-bound lock, see RedisLockStore::processLock(). As with a lease, it does not end with this object: the store
 * keeps it until it is released or the process ends.
 *
 * @phpstan-import-type Options from \RedisLock
 */
class ProcessLock extends Lock implements BoundLock
{
	/** @var array<string, array<\RedisLock>> acquired and not released since, by key and owner; some may have ended with their job, or be lost */
	private static array $held = [];

	/** @internal Ends those of an application before this one, as one test leaves them to the next. */
	public static function endAll(): void
	{
		self::$held = [];
	}

	/**
	 * @internal Takes over the lease that has the name and the owner of this lock.
	 * @return bool false: it has ended
	 */
	public function adopt(): bool
	{
		$lock = $this->server()->restore($this->name, $this->owner, ['renew' => true] + $this->bound());
		if (!$lock->keepAlive()) {
			return false;
		}
		self::$held[$this->key($this->server())][$this->owner] = $lock;

		return true;
	}

	/** @internal Leaves it to its ttl, for whoever knows the owner. */
	public function giveAway(): void
	{
		$this->forget($this->server(), $this->owner)?->detach();
	}

	public function withFence(): static
	{
		return $this->withOptions(['fence' => true]);
	}

	public function fence(): ?int
	{
		return $this->held($this->server(), $this->owner)?->getFence();
	}

	public function refresh($seconds = null)
	{
		return $this->held($this->server(), $this->owner)?->keepAlive(Server::seconds($seconds) > 0 ? Server::ttl((float) $seconds, true) : null) ?? false;
	}

	/** Where this process holds it, by any owner, that is no loss. */
	public function forceRelease()
	{
		$own = self::$held[$this->key($this->server())] ?? [];
		unset(self::$held[$this->key($this->server())]);
		foreach ($own as $lock) {
			$lock->forceRelease();
		}
		$this->server()->lock($this->name)->forceRelease();
	}

	protected function take(Server $server, array $owner, float $seconds): ?string
	{
		self::$held = array_filter(array_map(static fn (array $locks): array =>
			array_filter($locks, static fn (\RedisLock $lock): bool => $lock->getToken() !== null), self::$held));
		// One and the same object: the end of another one with this owner would free the key.
		$lock = $this->held($server, $owner['token'] ?? '') ?? $server->lock($this->name, ['renew' => true, 'retry_ms' => $this->retry()] + $owner + $this->bound());
		if ($lock->isHeld() || !$lock->acquire(Server::wait($seconds))) {
			return null;
		}
		$token = (string) $lock->getToken();
		self::$held[$this->key($server)][$token] = $lock;

		return $token;
	}

	protected function free(Server $server, string $owner): bool
	{
		return $this->forget($server, $owner)?->release() ?? false;
	}

	/** @return Options */
	private function bound(): array
	{
		return ['ttl' => Server::seconds($this->seconds) > 0 ? Server::ttl((float) $this->seconds, true) : null] + $this->options;
	}

	private function held(Server $server, string $owner): ?\RedisLock
	{
		return self::$held[$this->key($server)][$owner] ?? null;
	}

	private function forget(Server $server, string $owner): ?\RedisLock
	{
		$lock = $this->held($server, $owner);
		unset(self::$held[$this->key($server)][$owner]);

		return $lock;
	}

	/** A store with servers of its own has other locks than one without. Both strings may contain whatever separates them. */
	private function key(Server $server): string
	{
		return serialize([$this->getConnectionName(), $server->takesTokens(), ($server->toOptions()['prefix'] ?? '') . $this->name]);
	}
}
