<?php

declare(strict_types=1);

namespace RedisLock\Symfony;

use Symfony\Component\Semaphore\Exception\SemaphoreAcquiringException;
use Symfony\Component\Semaphore\Exception\SemaphoreExpiredException;
use Symfony\Component\Semaphore\Key;
use Symfony\Component\Semaphore\PersistingStoreInterface;

/**
 * @internal A store of the Semaphore component in the memory of the process, for tests. As in Symfony's InMemoryStore of locks, nothing expires.
 */
final class MemorySemaphoreStore implements PersistingStoreInterface
{
	/** @var array<string, array<string, int>> weights by semaphore and token */
	private array $held = [];

	public function save(Key $key, float $ttlInSecond): void
	{
		if ($this->exists($key)) {
			return;
		}
		if (array_sum($this->held[(string) $key] ?? []) + $key->getWeight() > $key->getLimit()) {
			throw new SemaphoreAcquiringException($key, 'others hold its permits');
		}
		$key->setState(self::class, $token = bin2hex(random_bytes(16)));
		$this->held[(string) $key][$token] = $key->getWeight();
	}

	public function putOffExpiration(Key $key, float $ttlInSecond): void
	{
		if (!$this->exists($key)) {
			throw new SemaphoreExpiredException($key, 'its permits are not held any more');
		}
	}

	public function exists(Key $key): bool
	{
		return isset($this->held[(string) $key][self::tokenOf($key)]);
	}

	public function delete(Key $key): void
	{
		unset($this->held[(string) $key][self::tokenOf($key)]);
	}

	private static function tokenOf(Key $key): string
	{
		$token = $key->hasState(self::class) ? $key->getState(self::class) : null;

		return is_string($token) ? $token : '';
	}
}
