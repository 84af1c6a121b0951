<?php

declare(strict_types=1);

namespace RedisLock\Symfony;

use RedisLock\Adapter\Server;
use Symfony\Component\Lock\BlockingSharedLockStoreInterface;
use Symfony\Component\Lock\BlockingStoreInterface;
use Symfony\Component\Lock\Exception\InvalidTtlException;
use Symfony\Component\Lock\Exception\LockConflictedException;
use Symfony\Component\Lock\Key;
use Symfony\Component\Lock\Store\ExpiringStoreTrait;

/**
 * A store of the Lock component with locks of the redislock extension. acquire(true) is woken by the release.
 *
 * The state of a key is its token, so a key can be serialized and used in another process. In a CombinedStore all stores of
 * this class have the same token. Locks of this store and of Symfony's RedisStore exclude each other, and readers of both share
 * a lock. On several servers, and with fences, no lock is shared: acquireRead() does what acquire() does.
 */
final class RedisLockStore implements BlockingStoreInterface, BlockingSharedLockStoreInterface
{
	use StoresLocks;
	use ExpiringStoreTrait;

	/** The state of a key that has been shared: whether it is now. Another copy of the key may have changed that since. */
	private const SHARED = self::class . '.shared';
	/** Seconds; a server that takes its time must not use up what is shorter, so that has the initial ttl first. */
	private const TTL_AT_ONCE = 5.0;
	/** Seconds within which a Lock that has saved its key puts off its end; later the server is asked. */
	private const JUST_SAVED = 0.05;

	/** @var array{\WeakReference<Key>, int, float}|null the key just saved, the moment before, in ns, and its ttl */
	private ?array $saved = null;
	/** @var \WeakMap<Key, string> the tokens released here; other stores may have them still */
	private readonly \WeakMap $released;
	/** @var \WeakMap<Key, string> the tokens whose release was not answered here: it may still be executed, so they acquire and extend nothing */
	private readonly \WeakMap $unanswered;

	/**
	 * @param array<mixed>|string $server as RedisLock\Options::from() takes it
	 * @param float $initialTtl seconds that a saved key lives until its Lock has put off its end, see TtlLockFactory
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
		$this->unanswered = new \WeakMap();
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
		if ($this->isUnanswered($key) || $this->keptAlive($key, $ttl) === null) {
			throw new LockConflictedException();
		}
		$this->checkNotExpired($key);
	}

	public function exists(Key $key): bool
	{
		return !$this->isUnanswered($key) && $this->ask(function () use ($key): bool {
			foreach ($this->locksOf($key) as $lock) {
				if ($lock->isAcquired()) {
					return true;
				}
			}

			return false;
		});
	}

	public function delete(Key $key): void
	{
		$this->saved = null;
		$token = $this->tokenOf($key);
		if ($token !== null) {
			$this->unanswered[$key] = $token;
			$this->ask(function () use ($key): void {
				foreach ($this->locksOf($key) as $lock) {
					if ($lock->release()) {
						return;
					}
				}
			});
			unset($this->unanswered[$key]);
			// It is not ours any more, whatever there is now: exists() need not ask.
			$this->released[$key] = $token;
			Fence::put($key, null);
		}
	}

	private function store(Key $key, bool $shared, float $wait): void
	{
		if ($this->isUnanswered($key)) {
			$this->delete($key);
		}
		$ttl = TtlLockFactory::ttlOf($key) ?? 0.0;
		$ttl = $ttl >= self::TTL_AT_ONCE ? $ttl : $this->initialTtl;
		$key->reduceLifetime($ttl);
		$started = hrtime(true);
		if ($this->obtain($key, $ttl, $shared, 0.0) !== null) {
			$this->checkNotExpired($key);
			$this->saved = [\WeakReference::create($key), $started, $ttl];

			return;
		}
		$lock = $wait > 0 ? $this->obtain($key, $ttl, $shared, $wait) : null;
		if ($lock === null) {
			throw new LockConflictedException();
		}
		// The wait took none of the lock's time, the last answer did.
		$key->resetLifetime();
		$key->reduceLifetime($lock->remaining());
		$this->checkNotExpired($key);
	}

	/** What the key has by now, shared with others or not. null: others have the lock, or share it. */
	private function obtain(Key $key, float $ttl, bool $shared, float $wait): ?\RedisLock
	{
		$lock = $this->keptAlive($key, $ttl);
		if ($lock === null) {
			return $this->acquire($key, $ttl, $shared, $wait);
		}
		if (($key->hasState(self::SHARED) && $key->getState(self::SHARED) === true) === $shared) {
			return $lock;
		}
		if (!$this->change($lock, $shared, $wait > 0)) {
			return null;
		}
		$key->setState(self::SHARED, $shared);

		return $wait > 0 ? $this->keptAlive($key, $ttl) : $lock;
	}

	private function acquire(Key $key, float $ttl, bool $shared, float $wait): ?\RedisLock
	{
		$options = ['ttl' => Server::ttl($ttl), 'token' => $this->server->takesTokens() ? $this->tokenOf($key) : null] + ($shared ? ['shared' => true] : []);
		$token = $this->ask(fn () => $this->server->acquire((string) $key, $options, $wait));
		if ($token === null) {
			return null;
		}
		$key->setState(self::class, $token);
		if ($shared || $key->hasState(self::SHARED)) {
			$key->setState(self::SHARED, $shared);
		}
		$lock = $this->server->restore((string) $key, $token);
		Fence::put($key, $lock->getFence());

		return $lock;
	}

	/** Extends what the key has. null: nothing. */
	private function keptAlive(Key $key, float $ttl): ?\RedisLock
	{
		return $this->ask(function () use ($key, $ttl): ?\RedisLock {
			foreach ($this->locksOf($key) as $shared => $lock) {
				// The server's times are whole milliseconds.
				if ($lock->keepAlive(Server::ttl(max(0.001, $ttl)))) {
					$key->hasState(self::SHARED) && $key->setState(self::SHARED, $shared);

					return $lock;
				}
			}

			return null;
		});
	}

	/** @return iterable<bool, \RedisLock> what the key may have, by whether it is shared, the likelier one first */
	private function locksOf(Key $key): iterable
	{
		$token = $this->tokenOf($key);
		if ($token === null) {
			return;
		}
		$shared = $key->hasState(self::SHARED) ? (bool) $key->getState(self::SHARED) : null;
		foreach ($shared === null ? [false] : [$shared, !$shared] as $way) {
			yield $way => $this->server->restore((string) $key, $token, $way ? ['shared' => true] : []);
		}
	}

	private function isUnanswered(Key $key): bool
	{
		return ($this->unanswered[$key] ?? '') === $this->tokenOf($key);
	}

	/** null: there is none, or we have released it */
	private function tokenOf(Key $key): ?string
	{
		$token = $key->hasState(self::class) ? $key->getState(self::class) : null;

		return !is_string($token) || $token === ($this->released[$key] ?? null) ? null : $token;
	}
}
