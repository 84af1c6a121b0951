<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use Illuminate\Cache\ArrayLock;
use Illuminate\Cache\ArrayStore;
use Illuminate\Contracts\Cache\LockTimeoutException;
use Illuminate\Support\Carbon;
use RedisLock\Adapter\Server;

/**
 * A process-bound lock where the cache is in memory, as in the tests of an application: it needs neither the extension nor a
 * server. It excludes the other locks of that store, and lives as long as the process, or until somebody frees it by force.
 */
class MemoryLock extends ArrayLock implements BoundLock
{
	/** The number given last, to locks of all names. */
	private static int $fences = 0;

	private bool $withFence = false;
	private ?int $fence = null;

	/** @param string|int|float|\Stringable|null $owner null: one of our own */
	public function __construct(private readonly ArrayStore $memory, string $name, $owner = null)
	{
		parent::__construct($memory, $name, 0, $owner === null ? null : (string) $owner);
	}

	public function acquire()
	{
		if (!parent::acquire()) {
			return false;
		}
		$this->fence = $this->withFence ? ++self::$fences : null;

		return true;
	}

	/** Does not wait in vain: while this process waits, nobody can release the lock. It may expire. */
	public function block($seconds, $callback = null)
	{
		$held = $this->memory->locks[$this->name] ?? null;
		if ($held !== null && ($held['expiresAt'] === null || $held['expiresAt'] > Carbon::now()->addSeconds((int) ceil(Server::seconds($seconds))))) {
			throw new LockTimeoutException;
		}

		return parent::block($seconds, $callback);
	}

	public function refresh($seconds = null)
	{
		return $this->isOwnedByCurrentProcess();
	}

	public function withFence(): static
	{
		$this->withFence = true;

		return $this;
	}

	public function fence(): ?int
	{
		return $this->isOwnedByCurrentProcess() ? $this->fence : null;
	}

	/** As the locks of a server do. */
	public function getConnectionName(): ?string
	{
		return null;
	}
}
