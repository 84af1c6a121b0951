<?php

declare(strict_types=1);

namespace RedisLock\Symfony;

use Symfony\Component\Lock\Key;
use Symfony\Component\Lock\SharedLockInterface;

/**
 * Symfony's factory, which also writes the ttl of the lock into its key. Symfony's Lock saves its key first and then puts off
 * its end to the ttl. A RedisLockStore that finds the ttl in the key sets it at once, which is one request less.
 */
class TtlLockFactory extends \Symfony\Component\Lock\LockFactory
{
	private const TTL = self::class;

	public function createLockFromKey(Key $key, ?float $ttl = 300.0, bool $autoRelease = true): SharedLockInterface
	{
		if ($ttl > 0) {
			$key->setState(self::TTL, $ttl);
		} else {
			$key->removeState(self::TTL);
		}

		return parent::createLockFromKey($key, $ttl, $autoRelease);
	}

	/**
	 * @internal
	 * @return float|null seconds; null: the key is of another factory, or its lock has no ttl
	 */
	public static function ttlOf(Key $key): ?float
	{
		$ttl = $key->hasState(self::TTL) ? $key->getState(self::TTL) : null;

		// A key that has travelled as JSON may have lost the fraction.
		return is_float($ttl) || is_int($ttl) ? (float) $ttl : null;
	}
}
