<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use Illuminate\Contracts\Redis\Factory;
use Illuminate\Redis\RedisManager;
use Predis\ClientInterface;
use Predis\Command\Processor\KeyPrefixProcessor;

/**
 * The prefix that a connection of Laravel adds to its keys. Packages for tenants change it while the application runs.
 *
 * @internal
 */
final class ConnectionPrefix
{
	/** @return string|null null: there is no such connection yet, so it is what config/database.php says */
	public static function now(Factory $redis, string $connection): ?string
	{
		// To make a connection would cost its connecting.
		$client = $redis instanceof RedisManager ? (($redis->connections() ?? [])[$connection] ?? null)?->client() : null;

		return match (true) {
			$client instanceof \Redis, $client instanceof \RedisCluster => (string) $client->getOption(\Redis::OPT_PREFIX),
			$client instanceof ClientInterface => self::ofPredis($client),
			default => null,
		};
	}

	private static function ofPredis(ClientInterface $client): ?string
	{
		$processor = $client->getOptions()->prefix;

		return match (true) {
			$processor === null => '',
			$processor instanceof KeyPrefixProcessor => $processor->getPrefix(),
			default => null,
		};
	}
}
