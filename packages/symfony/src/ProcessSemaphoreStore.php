<?php

declare(strict_types=1);

namespace RedisLock\Symfony;

use RedisLock\Adapter\Server;
use Symfony\Component\Semaphore\Exception\SemaphoreAcquiringException;
use Symfony\Component\Semaphore\Exception\SemaphoreExpiredException;
use Symfony\Component\Semaphore\Key;
use Symfony\Component\Semaphore\PersistingStoreInterface;

/**
 * A store of the Semaphore component whose permits live as long as the process that has acquired them. They are renewed while the
 * process runs, and free at once when it is killed. If they are lost, a RedisLock\LockLostException is thrown in the running code.
 *
 * The ttl says how long they stay if the whole machine vanishes. Another process cannot use a key. The lock of a semaphore
 * "import" is named "semaphore:import", as that of RedisSemaphoreStore.
 */
final class ProcessSemaphoreStore implements PersistingStoreInterface
{
	use Permits;

	private readonly Server $server;
	/** @var \SplObjectStorage<Key, \RedisLock> what is held */
	private readonly \SplObjectStorage $locks;

	/**
	 * @param array<mixed>|string $server as RedisLock\Options::from() takes it
	 * @param float $wait seconds that acquire() waits for permits. It is woken when they are released, in the order in which callers came
	 */
	public function __construct(#[\SensitiveParameter] array|string $server = [], private readonly float $wait = 0.0)
	{
		$this->server = new Server($server);
		$this->locks = new \SplObjectStorage();
	}

	public function save(Key $key, float $ttlInSecond): void
	{
		$this->forgetLost();
		$ttl = self::ttl($ttlInSecond, true);
		if ($this->keepAlive($key, $ttl)) {
			return;
		}
		$options = ['renew' => true, 'ttl' => $ttl] + self::permitsOf($key);
		$lock = $this->ask(fn () => $this->server->lock(self::nameOf($key), $options));
		if (!$lock->acquire(Server::wait($this->wait))) {
			throw new SemaphoreAcquiringException($key, 'others hold its permits');
		}
		$this->locks[$key] = $lock;
	}

	public function putOffExpiration(Key $key, float $ttlInSecond): void
	{
		if (!$this->keepAlive($key, self::ttl($ttlInSecond, true))) {
			throw new SemaphoreExpiredException($key, 'its permits are not held any more');
		}
	}

	public function exists(Key $key): bool
	{
		return ($this->locks[$key] ?? null)?->isAcquired() ?? false;
	}

	public function delete(Key $key): void
	{
		$lock = $this->locks[$key] ?? null;
		unset($this->locks[$key]);
		$lock?->release();
	}

	private function keepAlive(Key $key, float $ttl): bool
	{
		$lock = $this->locks[$key] ?? null;

		return $lock !== null && $this->ask(fn () => $lock->isHeld() && $lock->keepAlive($ttl));
	}

	/** Those nobody has released, since they were lost, or have ended with their request. */
	private function forgetLost(): void
	{
		foreach (iterator_to_array($this->locks, false) as $key) {
			if ($this->locks[$key]->getToken() === null) {
				unset($this->locks[$key]);
			}
		}
	}
}
