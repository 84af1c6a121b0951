<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use Illuminate\Support\ConfigurationUrlParser;

/**
 * Reads config/database.php as Laravel's own Redis connectors do, so that locks go to the server they would go to.
 *
 * @internal
 */
final class ServerOptions
{
	/** @param array $databases the part "redis" of config/database.php */
	public static function ofConnection(#[\SensitiveParameter] array $databases, string $connection): array
	{
		$common = $databases['options'] ?? [];
		if (isset($databases[$connection])) {
			return self::server((new ConfigurationUrlParser)->parseConfiguration($databases[$connection]), $common, $connection);
		}
		if (isset($databases['clusters'][$connection])) {
			$common = ($databases['clusters']['options'] ?? []) + $common;

			return self::cluster($databases['clusters'][$connection], $common, $connection);
		}
		throw new \InvalidArgumentException("Redis connection [$connection] not configured.");
	}

	/**
	 * Several servers, of which most must have a lock. Its prefix is that of the connection.
	 *
	 * @param array $databases the part "redis" of config/database.php
	 * @param array<string|array> $servers names of connections, or options of \RedisLock
	 */
	public static function ofServers(#[\SensitiveParameter] array $databases, #[\SensitiveParameter] array $servers,
		string $connection): array
	{
		$prefix = self::ofConnection($databases, $connection)['prefix'] ?? '';
		$servers = array_map(fn (array|string $server) => is_string($server) && isset($databases[$server])
			? array_diff_key(self::ofConnection($databases, $server), ['prefix' => 0]) : $server, array_values($servers));

		return ['servers' => $servers, 'prefix' => $prefix];
	}

	/** @param array $nodes some nodes of a Redis Cluster; the first one's credentials and times hold for all */
	private static function cluster(#[\SensitiveParameter] array $nodes, #[\SensitiveParameter] array $common,
		string $connection): array
	{
		if (($common['cluster'] ?? 'redis') !== 'redis') {
			throw new \InvalidArgumentException("Redis connection [$connection] spreads keys over servers by itself, which " .
				'locks are not made for: only a Redis Cluster ("cluster" => "redis") is.');
		}
		$common = ($nodes['options'] ?? []) + $common;
		unset($nodes['options']);
		$nodes = array_map((new ConfigurationUrlParser)->parseConfiguration(...), $nodes);
		$config = self::server(reset($nodes) + array_intersect_key($common, ['password' => 0, 'username' => 0]), $common,
			$connection);
		$config['cluster'] = array_map(fn ($node) => array_intersect_key($node, ['host' => 0, 'port' => 0]), array_values($nodes));
		unset($config['host'], $config['port'], $config['database']);

		return $config;
	}

	private static function server(#[\SensitiveParameter] array $config, #[\SensitiveParameter] array $common,
		string $connection): array
	{
		$config = self::withOptions($config, $common, $connection);
		if (($config['options']['replication'] ?? null) === 'sentinel') {
			// Predis: a list of sentinels, and beside them what holds for the servers.
			$config['sentinels'] = array_values(array_filter($config, is_int(...), ARRAY_FILTER_USE_KEY));
			$config = array_filter($config, is_string(...), ARRAY_FILTER_USE_KEY);
		}

		// A URL's scheme, by Laravel's name for it.
		if (in_array($config['driver'] ?? null, ['tcp', 'tls'], true)) {
			$config['scheme'] = $config['driver'];
		}
		// Their name is that of the client, ours that of the lock.
		if (isset($config['name'])) {
			$config['client_name'] = $config['name'];
		}
		unset($config['driver'], $config['name']);
		// Without a password Laravel does not log in.
		if (($config['password'] ?? '') === '') {
			unset($config['username'], $config['password']);
		}

		return $config;
	}

	/** What stands with the connection wins over what stands beside the connections. */
	private static function withOptions(#[\SensitiveParameter] array $config, #[\SensitiveParameter] array $common,
		string $connection): array
	{
		$options = ($config['options'] ?? []) + $common;
		$config['prefix'] ??= $options['prefix'] ?? null;
		$options['parameters'] = $options['parameters'][$connection] ?? $options['parameters'] ?? null;
		unset($options['prefix'], $options['persistent']);
		if (is_string($options['cluster'] ?? null)) {
			// How clusters would be spoken to, not that this is one.
			unset($options['cluster']);
		}
		$config['options'] = array_filter($options, fn ($option) => $option !== null) ?: null;

		return array_filter($config, fn ($option) => $option !== null);
	}
}
