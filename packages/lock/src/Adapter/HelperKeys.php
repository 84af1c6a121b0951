<?php

declare(strict_types=1);

namespace RedisLock\Adapter;

/** @internal Names of the keys beside that of a lock: docs/internals/protocol.md, "Keys". */
final class HelperKeys
{
	/** What those of a lock begin with. "": it has none, since they could not be in the slot of its key. */
	public static function of(string $prefix, string $name): string
	{
		$key = $prefix . $name;
		$helper = self::hashed($key) === $key ? $prefix . '{' . $key . '}' : $key;

		return self::hashed($helper) === self::hashed($key) ? $helper : '';
	}

	/** What a Cluster hashes of a key. */
	private static function hashed(string $key): string
	{
		return preg_match('/^[^{]*\{([^}]+)\}/', $key, $tag) === 1 ? $tag[1] : $key;
	}
}
