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
	/**
	 * @internal Takes over the lease that has the name and the owner of this lock.
	 * @return bool false: it has ended
	 */
	public function adopt(): bool
	{
		return $this->server()->adopt($this->name, $this->owner, $this->bound());
	}

	/** @internal Leaves it to its ttl, for whoever knows the owner. */
	public function giveAway(): void
	{
		$this->server()->giveAway($this->name, $this->owner);
	}

	public function withFence(): static
	{
		return $this->withOptions(['fence' => true]);
	}

	public function fence(): ?int
	{
		return $this->server()->held($this->name, $this->owner)?->getFence();
	}

	public function refresh($seconds = null)
	{
		return $this->server()->held($this->name, $this->owner)
			?->keepAlive(Server::seconds($seconds) > 0 ? Server::ttl((float) $seconds, true) : null) ?? false;
	}

	public function forceRelease()
	{
		$this->server()->forceRelease($this->name, $this->owner);
	}

	protected function take(Server $server, array $owner, float $seconds): ?string
	{
		return $server->hold($this->name, $owner['token'] ?? null, ['retry_ms' => $this->retry()] + $owner + $this->bound(), $seconds);
	}

	/** @return Options */
	private function bound(): array
	{
		return ['ttl' => Server::seconds($this->seconds) > 0 ? Server::ttl((float) $this->seconds, true) : null] + $this->options;
	}

	protected function free(Server $server, string $owner): bool
	{
		return $server->letGo($this->name, $owner);
	}
}
