<?php

declare(strict_types=1);

namespace RedisLock\Symfony;

use RedisLock\Adapter\Server;
use Symfony\Component\Lock\BlockingStoreInterface;
use Symfony\Component\Lock\Exception\InvalidTtlException;
use Symfony\Component\Lock\Exception\LockConflictedException;
use Symfony\Component\Lock\Key;
use Symfony\Component\Lock\Store\ExpiringStoreTrait;

/**
 * Locks of the Lock component, kept by the redislock extension; acquire(true) is woken by the release.
 *
 * A key's state is its token, so a key can be serialized and used in another process. Locks of this store and of Symfony's
 * RedisStore exclude each other. There are no shared locks: acquireRead() does what acquire() does.
 */
final class RedisLockStore implements BlockingStoreInterface
{
	use ExpiringStoreTrait;
	use StorageErrors;

	private readonly Server $server;
	/** @var array{\WeakReference<Key>, int}|null the key just saved, and the moment before, in ns */
	private ?array $saved = null;

	/**
	 * @param array|string $server connection options of \RedisLock, or a URI
	 * @param float $initialTtl seconds a lock lives before its own ttl is set, which Lock does at once. The first call of
	 *     putOffExpiration() costs nothing where it is the same; 300.0 is also the default of LockFactory
	 */
	public function __construct(#[\SensitiveParameter] array|string $server = [], private readonly float $initialTtl = 300.0)
	{
		if ($initialTtl <= 0) {
			throw new InvalidTtlException(sprintf('%s() expects a ttl above 0, got %s.', __METHOD__, $initialTtl));
		}
		$this->server = new Server($server);
	}

	public function save(Key $key): void
	{
		if (!$this->trySave($key)) {
			throw new LockConflictedException();
		}
	}

	public function waitAndSave(Key $key): void
	{
		if (!$this->trySave($key)) {
			$this->acquire($key, INF);
			// The wait took none of the lock's time.
			$key->resetLifetime();
			$key->reduceLifetime($this->initialTtl);
		}
	}

	public function putOffExpiration(Key $key, float $ttl): void
	{
		[$saved, $savedAt] = $this->saved ?? [null, 0];
		$this->saved = null;
		$age = (hrtime(true) - $savedAt) / 1e9;
		// Lock puts off what it has just saved. Nothing has to be sent for less than a thousandth of the ttl.
		if ($saved?->get() === $key && $ttl === $this->initialTtl && $age < $ttl / 1000) {
			$key->reduceLifetime($ttl - $age);
			return;
		}
		$key->reduceLifetime($ttl);
		if (!$this->keepAlive($key, $ttl)) {
			throw new LockConflictedException();
		}
		$this->checkNotExpired($key);
	}

	public function exists(Key $key): bool
	{
		return $key->hasState(self::class) && $this->ask(fn () => $this->lockOf($key)->isAcquired());
	}

	public function delete(Key $key): void
	{
		if ($key->hasState(self::class)) {
			$this->ask(fn () => $this->lockOf($key)->release());
			// It is not ours any more, whatever there is now: exists() need not ask.
			$key->removeState(self::class);
		}
	}

	private function trySave(Key $key): bool
	{
		$key->reduceLifetime($this->initialTtl);
		$started = hrtime(true);
		if (!$this->keepAlive($key, $this->initialTtl) && !$this->acquire($key, 0.0)) {
			return false;
		}
		$this->checkNotExpired($key);
		$this->saved = [\WeakReference::create($key), $started];

		return true;
	}

	private function acquire(Key $key, float $wait): bool
	{
		$token = $this->ask(fn () => $this->server->acquire((string) $key, ['ttl' => $this->initialTtl], $wait));
		if ($token === null) {
			return false;
		}
		$key->setState(self::class, $token);

		return true;
	}

	private function keepAlive(Key $key, float $ttl): bool
	{
		// The server's times are whole milliseconds.
		return $key->hasState(self::class) && $this->ask(fn () => $this->lockOf($key)->keepAlive(max(0.001, $ttl)));
	}

	private function lockOf(Key $key): \RedisLock
	{
		return $this->server->restore((string) $key, $key->getState(self::class));
	}
}
