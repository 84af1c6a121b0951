<?php

declare(strict_types=1);

namespace RedisLock\Async;

use Amp\Sync\KeyedSemaphore as AmpKeyedSemaphore;
use Amp\Sync\Lock;
use Amp\Sync\SyncException;
use RedisLock\Adapter\Failure;
use RedisLock\ConnectionException;
use RedisLock\LockFactory;

/** Amp's KeyedSemaphore across processes and machines: so many holders a key. Call Revolt::install() first. */
class KeyedSemaphore implements AmpKeyedSemaphore
{
	private readonly LockFactory $locks;

	/**
	 * @param array<mixed>|string $params as RedisLock\Options::from() takes it; the locks are process-bound unless `renew` is false
	 * @throws \ValueError|\TypeError an option is wrong
	 */
	public function __construct(#[\SensitiveParameter] array|string $params, int $permits)
	{
		$options = ['wait' => INF] + ($permits === 1 ? [] : ['permits' => $permits]);
		$this->locks = new LockFactory((is_string($params) ? ['url' => $params] : $params) + ['renew' => true], $options);
	}

	/** Waits as long as it takes. To wait no longer, destroy or cancel what waits: nothing is left behind. */
	public function acquire(string $key): Lock
	{
		$lock = $this->locks->lock($key);
		try {
			$held = $lock->acquire();
		} catch (\RedisLock\Exception $e) {
			throw new SyncException($e->getMessage(), 0, $e);
		}
		if (!$held) {
			throw new SyncException("$key is held by others");
		}

		return new Lock(static function () use ($lock): void {
			try {
				$lock->release();
			} catch (ConnectionException $e) {
				// Amp's handle releases when it is forgotten, too, in the loop, where an exception ends the program.
				Failure::warn($e->getMessage());
			}
		});
	}
}
