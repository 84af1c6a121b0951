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
	/** @var array<string, \RedisLock> acquired and not released since; some may have ended with their job, or have been lost */
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
		self::$held[$this->id($this->server(), $this->owner)] = $lock;

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

	/** To the one who holds it by this owner, that is no loss. */
	public function forceRelease()
	{
		try {
			($this->held($this->server(), $this->owner) ?? $this->server()->lock($this->name))->forceRelease();
		} finally {
			$this->forget($this->server(), $this->owner);
		}
	}

	protected function take(Server $server, array $owner, float $seconds): ?string
	{
		self::$held = array_filter(self::$held, static fn (\RedisLock $lock): bool => $lock->getToken() !== null);
		// One and the same object: the end of another one with this owner would free the key.
		$lock = $this->held($server, $owner['token'] ?? '') ?? $server->lock($this->name, ['renew' => true, 'retry_ms' => $this->retry()] + $owner + $this->bound());
		if ($lock->isHeld() || !$lock->acquire(Server::wait($seconds))) {
			return null;
		}
		$token = (string) $lock->getToken();
		self::$held[$this->id($server, $token)] = $lock;

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
		return self::$held[$this->id($server, $owner)] ?? null;
	}

	private function forget(Server $server, string $owner): ?\RedisLock
	{
		$lock = $this->held($server, $owner);
		unset(self::$held[$this->id($server, $owner)]);

		return $lock;
	}

	/** Each of them may contain whatever separates them. */
	private function id(Server $server, string $owner): string
	{
		return serialize([$this->getConnectionName(), ($server->toOptions()['prefix'] ?? '') . $this->name, $owner]);
	}
}
