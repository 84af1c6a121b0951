<?php

declare(strict_types=1);

namespace RedisLock\Symfony;

use RedisLock\Adapter\Server;
use Symfony\Component\Lock\Key;
use Symfony\Component\Lock\Store\RedisStore;

/**
 * @internal Keys that a store of another kind has saved: they are in messages, of DeduplicateStamp for one, that were sent before the
 * application came to the store of today. Whoever handles the message releases the key; nobody else would.
 */
trait OtherKeys
{
	/** @param list<class-string> $stores whose state is the token */
	private static function releaseOthers(Server $server, Key $key, array $stores = [RedisStore::class]): void
	{
		foreach ($stores as $store) {
			$token = $key->hasState($store) ? $key->getState($store) : null;
			if (is_string($token)) {
				$server->end((string) $key, $token);
			}
		}
	}
}
