<?php

declare(strict_types=1);

namespace RedisLock\Symfony;

use RedisLock\Adapter\Server;
use Symfony\Component\Semaphore\Exception\SemaphoreAcquiringException;
use Symfony\Component\Semaphore\Exception\SemaphoreExpiredException;
use Symfony\Component\Semaphore\Key;
use Symfony\Component\Semaphore\PersistingStoreInterface;

/**
 * A store of the Semaphore component with leases of the redislock extension: permits that live until they are released or their
 * ttl is over. It needs one server; a Redis Cluster or Sentinel is one.
 *
 * The state of a key is its token, so a key can be serialized and used in another process. The lock of a semaphore "import" is
 * named "semaphore:import".
 */
final class RedisSemaphoreStore implements PersistingStoreInterface
{
	use Permits;

	/** The state of a key whose release was not answered: it may still be executed, so the token extends nothing. */
	private const UNANSWERED = self::class . '.unanswered';

	private readonly Server $server;

	/**
	 * @param array<mixed>|string $server as RedisLock\Options::from() takes it
	 * @param float $wait seconds that acquire() waits for permits. It is woken when they are released, in the order in which callers came
	 */
	public function __construct(#[\SensitiveParameter] array|string $server = [], private readonly float $wait = 0.0)
	{
		$this->server = new Server($server);
	}

	public function save(Key $key, float $ttlInSecond): void
	{
		$ttl = self::ttl($ttlInSecond, false);
		if ($key->hasState(self::UNANSWERED)) {
			$this->delete($key);
		}
		if ($this->ask(fn () => $this->lockOf($key)?->keepAlive($ttl) ?? false)) {
			return;
		}
		$token = $this->ask(fn () => $this->server->acquire(self::nameOf($key), ['ttl' => $ttl] + self::permitsOf($key), $this->wait));
		if ($token === null) {
			throw new SemaphoreAcquiringException($key, 'others hold its permits');
		}
		$key->setState(self::class, $token);
	}

	public function putOffExpiration(Key $key, float $ttlInSecond): void
	{
		$ttl = self::ttl($ttlInSecond, false);
		if ($key->hasState(self::UNANSWERED) || !$this->ask(fn () => $this->lockOf($key)?->keepAlive($ttl) ?? false)) {
			throw new SemaphoreExpiredException($key, 'its permits are not held any more');
		}
	}

	public function exists(Key $key): bool
	{
		return !$key->hasState(self::UNANSWERED) && $this->ask(fn () => $this->lockOf($key)?->isAcquired() ?? false);
	}

	public function delete(Key $key): void
	{
		$key->setState(self::UNANSWERED, true);
		$this->ask(fn () => $this->lockOf($key)?->release());
		$key->removeState(self::UNANSWERED);
		$key->removeState(self::class);
	}

	private function lockOf(Key $key): ?\RedisLock
	{
		$token = $key->hasState(self::class) ? $key->getState(self::class) : null;

		return is_string($token) ? $this->server->restore(self::nameOf($key), $token, self::permitsOf($key)) : null;
	}
}
