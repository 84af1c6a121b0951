<?php

declare(strict_types=1);

namespace RedisLock\Symfony;

/** @internal */
trait Upgrades
{
	/**
	 * Makes a reader the writer. While others read, acquire(true) tries again like that of Symfony's own store, but no longer than
	 * the lock has left: two readers who wait for each other are both told.
	 */
	private static function upgrade(\RedisLock $lock, bool $waits): bool
	{
		$until = hrtime(true) + ($waits ? (int) ($lock->remaining() * 1e9) : 0);
		while (!$lock->upgrade()) {
			if (!$lock->isHeld() || hrtime(true) >= $until) {
				return false;
			}
			usleep(random_int(90_000, 110_000));
		}

		return true;
	}
}
