<?php

declare(strict_types=1);

namespace RedisLock\Adapter;

/** @internal Whether the extension is there. On a machine without it, in CI for example, everything works but the locks. */
final class Extension
{
	public static function isLoaded(): bool
	{
		return extension_loaded('redislock');
	}

	/**
	 * To be called by whatever is about to use a lock.
	 *
	 * @throws \LogicException the extension is not loaded
	 */
	public static function need(): void
	{
		if (!self::isLoaded()) {
			throw new \LogicException('This lock needs the PHP extension redislock, which is not loaded: ' .
				'"pie install redislock/redislock" installs it, and tests that should do without it can use ' .
				'RedisLock\Testing\ArrayLockFactory.');
		}
	}
}
