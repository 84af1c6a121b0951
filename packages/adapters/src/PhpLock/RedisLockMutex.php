<?php

declare(strict_types=1);

namespace RedisLock\PhpLock;

use Malkusch\Lock\Exception\LockAcquireException;
use Malkusch\Lock\Exception\LockAcquireTimeoutException;
use Malkusch\Lock\Exception\LockReleaseException;
use Malkusch\Lock\Mutex\AbstractLockMutex;
use RedisLock\Adapter\Server;

// php-lock 2 has other names for two classes of php-lock 3; the third is found by the name as it is spelt there.
if (!class_exists(AbstractLockMutex::class)) {
	class_alias('malkusch\lock\mutex\LockMutex', AbstractLockMutex::class);
	class_alias('malkusch\lock\exception\TimeoutException', LockAcquireTimeoutException::class);
	class_exists('malkusch\lock\exception\LockReleaseException');
}

/**
 * A mutex of php-lock with a lock of the redislock extension. It is renewed while the code runs, and freed at once when the
 * process is killed. If the lock is lost, a RedisLock\LockLostException is thrown in the running code. It is also the
 * getCodeException() of php-lock's LockReleaseException.
 *
 * Its key is that of php-lock's RedisMutex.
 */
final class RedisLockMutex extends AbstractLockMutex
{
	private const PREFIX_OF_2 = 'lock_';
	private const PREFIX_OF_3 = 'php-malkusch-lock:';

	private readonly \RedisLock $lock;

	/**
	 * @param array<mixed>|string $server as RedisLock\Options::from() takes it
	 * @param float $acquireTimeout seconds to wait for the lock; INF: no limit
	 * @param float $expireTimeout seconds that the lock stays if the whole machine vanishes; it does not limit the code
	 */
	public function __construct(
		string $name,
		#[\SensitiveParameter] array|string $server = [],
		private readonly float $acquireTimeout = 3.0,
		float $expireTimeout = 30.0
	) {
		$prefix = is_a(self::class, 'malkusch\lock\mutex\LockMutex', true) ? self::PREFIX_OF_2 : self::PREFIX_OF_3;
		$this->lock = (new Server($server))->lock($prefix . $name, ['renew' => true, 'ttl' => Server::ttl($expireTimeout, true)]);
	}

	protected function lock(): void
	{
		try {
			$acquired = $this->lock->acquire(Server::wait($this->acquireTimeout));
		} catch (\RedisLock\LockLostException $e) {
			// Of another lock, in the code around.
			throw $e;
		} catch (\RedisLock\Exception | \LogicException $e) {
			// The last: this very mutex has it, in the code around or in another fiber.
			throw new LockAcquireException($e->getMessage(), 0, $e);
		}
		if (!$acquired) {
			throw new LockAcquireTimeoutException("Lock acquire timeout of $this->acquireTimeout seconds has been exceeded");
		}
	}

	protected function unlock(): void
	{
		try {
			$released = $this->lock->release();
		} catch (\RedisLock\LockLostException $e) {
			throw $e;
		} catch (\RedisLock\Exception $e) {
			throw new LockReleaseException($e->getMessage(), 0, $e);
		}
		if (!$released) {
			throw new LockReleaseException("The lock {$this->lock} was lost before the code had ended");
		}
	}
}
