<?php

declare(strict_types=1);

namespace RedisLock\Adapter;

/** @internal Whether the extension is there. Without it leases work over Predis; where that is missing, too, everything but locks. */
final class Extension
{
	private const GET = '"pie install redislock/redislock" installs it';

	public static function isLoaded(): bool
	{
		return extension_loaded('redislock');
	}

	/** A setting "redislock.*" of php.ini; "": there is none. Whoever has the same file, without the extension, has the same keys and server. */
	public static function setting(string $name): string
	{
		$setting = self::isLoaded() ? ini_get("redislock.$name") : get_cfg_var("redislock.$name");

		return is_string($setting) ? $setting : '';
	}

	/** Says how to get locks on a server where neither the extension nor Predis 3 is there. */
	public static function need(): void
	{
		if (!self::isLoaded() && !class_exists(\Predis\Connection\Resource\StreamFactory::class)) {
			throw new \LogicException('This lock needs the PHP extension redislock, which is not loaded: ' . self::GET .
				'. For leases predis/predis 3 is enough, for tests RedisLock\Testing\ArrayLockFactory.');
		}
	}

	/** Says that only the extension can do this. */
	public static function lacks(string $what): \LogicException
	{
		return new \LogicException("$what needs the PHP extension redislock, which is not loaded: " . self::GET . '. Without it there are leases on one server only');
	}
}
