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
 * A store of the Lock component with locks of the redislock extension. acquire(true) is woken by the release.
 *
 * The state of a key is its token, so a key can be serialized and used in another process. In a CombinedStore all stores of
 * this class have the same token. Locks of this store and of Symfony's RedisStore exclude each other. There are no shared
 * locks: acquireRead() does what acquire() does.
 *
 * @phpstan-import-type Options from \RedisLock
 */
final class RedisLockStore implements BlockingStoreInterface
{
	use ExpiringStoreTrait;
	use StorageErrors;

	/** Seconds; a server that takes its time must not use up what is shorter, so that has the initial ttl first. */
	private const TTL_AT_ONCE = 5.0;
	/** Seconds within which a Lock that has saved its key puts off its end; later the server is asked. */
	private const JUST_SAVED = 0.05;

	private readonly Server $server;
	/** @var array{\WeakReference<Key>, int, float}|null the key just saved, the moment before, in ns, and its ttl */
	private ?array $saved = null;
	/** @var \WeakMap<Key, string> the tokens released here; other stores may have them still */
	private readonly \WeakMap $released;

	/**
	 * @phpstan-param Options|string $server
	 * @param array|string $server connection options of \RedisLock, or a URI
	 * @param float $initialTtl seconds that a saved key lives until its Lock has put off its end, see LockFactory
	 * @param bool $fence whether every acquisition gets a fencing number, see Fence; only on one server
	 */
	public function __construct(
		#[\SensitiveParameter] array|string $server = [],
		private readonly float $initialTtl = 300.0,
		bool $fence = false
	) {
		if ($initialTtl <= 0) {
			throw new InvalidTtlException(sprintf('%s() expects a ttl above 0, got %s.', __METHOD__, $initialTtl));
		}
		$this->server = new Server($server, $fence);
		$this->released = new \WeakMap();
	}

	public function save(Key $key): void
	{
		if (!$this->trySave($key, $this->ttlToSave($key))) {
			throw new LockConflictedException();
		}
	}

	public function waitAndSave(Key $key): void
	{
		$ttl = $this->ttlToSave($key);
		if (!$this->trySave($key, $ttl)) {
			if (!$this->acquire($key, $ttl, INF)) {
				throw new LockConflictedException();
			}
			// The wait took none of the lock's time, the last answer did.
			$key->resetLifetime();
			$key->reduceLifetime($this->lockOf($key)?->remaining() ?? 0.0);
			$this->checkNotExpired($key);
		}
	}

	public function putOffExpiration(Key $key, float $ttl): void
	{
		[$saved, $savedAt, $savedTtl] = $this->saved ?? [null, 0, 0.0];
		$this->saved = null;
		$age = (hrtime(true) - $savedAt) / 1e9;
		$left = $savedTtl - $age;
		// Lock puts off what it has just saved, and a CombinedStore takes off the time that has gone by since. Nothing has
		// to be sent for less than a thousandth of the ttl.
		if ($saved?->get() === $key && $age < self::JUST_SAVED && abs($ttl - $left) < $ttl / 1000) {
			$key->reduceLifetime(min($ttl, $left));
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
		return $this->ask(fn () => $this->lockOf($key)?->isAcquired() ?? false);
	}

	public function delete(Key $key): void
	{
		$this->saved = null;
		$token = $this->tokenOf($key);
		if ($token !== null) {
			$this->ask(fn () => $this->lockOf($key)?->release());
			// It is not ours any more, whatever there is now: exists() need not ask.
			$this->released[$key] = $token;
			Fence::put($key, null);
		}
	}

	private function ttlToSave(Key $key): float
	{
		$ttl = LockFactory::ttlOf($key);

		return $ttl >= self::TTL_AT_ONCE ? $ttl : $this->initialTtl;
	}

	private function trySave(Key $key, float $ttl): bool
	{
		$key->reduceLifetime($ttl);
		$started = hrtime(true);
		if (!$this->keepAlive($key, $ttl) && !$this->acquire($key, $ttl, 0.0)) {
			return false;
		}
		$this->checkNotExpired($key);
		$this->saved = [\WeakReference::create($key), $started, $ttl];

		return true;
	}

	private function acquire(Key $key, float $ttl, float $wait): bool
	{
		$options = ['ttl' => Server::ttl($ttl), 'token' => $this->tokenOf($key)];
		$token = $this->ask(fn () => $this->server->acquire((string) $key, $options, $wait));
		if ($token === null) {
			return false;
		}
		$key->setState(self::class, $token);
		Fence::put($key, $this->lockOf($key)?->getFence());

		return true;
	}

	private function keepAlive(Key $key, float $ttl): bool
	{
		// The server's times are whole milliseconds.
		return $this->ask(fn () => $this->lockOf($key)?->keepAlive(Server::ttl(max(0.001, $ttl))) ?? false);
	}

	private function lockOf(Key $key): ?\RedisLock
	{
		$token = $this->tokenOf($key);

		return $token === null ? null : $this->server->restore((string) $key, $token);
	}

	/** null: there is none, or we have released it */
	private function tokenOf(Key $key): ?string
	{
		$token = $key->hasState(self::class) ? $key->getState(self::class) : null;

		return !is_string($token) || $token === ($this->released[$key] ?? null) ? null : $token;
	}
}
