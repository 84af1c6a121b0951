<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use RedisLock\Adapter\Server;

/**
 * A process-bound lock, see RedisLockStore::processLock(). As with a lease, it does not end with this object: the store
 * keeps it until it is released or the process ends.
 */
class ProcessLock extends Lock implements BoundLock
{
	/** @var array<string, mixed> */
	private array $options = [];

	/**
	 * @internal
	 * @param array<string, mixed> $options interval, linger, max_hold
	 */
	public function withOptions(array $options): static
	{
		$this->options = $options + $this->options;

		return $this;
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
			?->keepAlive($seconds > 0 ? Server::ttl((float) $seconds, true) : null) ?? false;
	}

	public function forceRelease()
	{
		$this->server()->forceRelease($this->name, $this->owner);
	}

	protected function take(Server $server, string $owner, float $seconds): bool
	{
		$ttl = $this->seconds > 0 ? Server::ttl((float) $this->seconds, true) : null;

		return $server->hold($this->name, $owner, ['retry' => $this->retry(), 'ttl' => $ttl] + $this->options, $seconds);
	}

	protected function free(Server $server, string $owner): bool
	{
		return $server->letGo($this->name, $owner);
	}
}
