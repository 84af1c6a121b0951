<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use Illuminate\Contracts\Redis\Factory;
use Illuminate\Redis\Connections\Connection;
use Illuminate\Redis\RedisManager;
use Predis\ClientInterface;
use Predis\Command\Processor\KeyPrefixProcessor;

/** @internal The prefix that a connection of Laravel adds to its keys. Packages for tenants change it while the application runs. */
final class ConnectionPrefix
{
	/** @return string|null null: there is no such connection yet, so it is what config/database.php says */
	public static function now(Factory $redis, string $connection): ?string
	{
		// To make a connection would cost its connecting.
		/** @var array<string, Connection>|null $connections */
		$connections = $redis instanceof RedisManager ? $redis->connections() : null;
		$client = ($connections[$connection] ?? null)?->client();

		$processor = $client instanceof ClientInterface ? $client->getOptions()->prefix : null;

		return match (true) {
			$client instanceof \Redis, $client instanceof \RedisCluster => is_string($prefix = $client->getOption(\Redis::OPT_PREFIX)) ? $prefix : '',
			$processor instanceof KeyPrefixProcessor => $processor->getPrefix(),
			$client instanceof ClientInterface && $processor === null => '',
			default => null,
		};
	}
}
