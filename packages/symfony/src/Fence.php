<?php

declare(strict_types=1);

namespace RedisLock\Symfony;

use Symfony\Component\Lock\Key;

/**
 * The fencing number of a lock whose store was created with `fence`. It grows with every acquisition. A Lock does not tell its key:
 * create the key first, and the lock from it.
 */
final class Fence
{
	/** @return int|null null: the lock is not acquired, or its store has no fence */
	public static function of(Key $key): ?int
	{
		$fence = $key->hasState(self::class) ? $key->getState(self::class) : null;

		return is_int($fence) ? $fence : null;
	}

	/** @internal */
	public static function put(Key $key, ?int $fence): void
	{
		if ($fence === null) {
			$key->removeState(self::class);
		} else {
			$key->setState(self::class, $fence);
		}
	}
}
