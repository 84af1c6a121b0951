<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use Illuminate\Support\ConfigurationUrlParser;
use RedisLock\Adapter\Server;

/**
 * Reads config/database.php as Laravel's own Redis connectors do, so that locks go to the server they would go to.
 *
 * @internal
 * @phpstan-import-type Options from \RedisLock
 */
final class ServerOptions
{
	/**
	 * @param array<mixed> $databases the part "redis" of config/database.php
	 * @return Options
	 */
	public static function ofConnection(#[\SensitiveParameter] array $databases, string $connection): array
	{
		$common = self::part($databases, 'options');
		$clusters = self::part($databases, 'clusters');
		$config = match (true) {
			isset($databases[$connection]) => self::server(self::parsed($databases[$connection]), $common, $connection),
			isset($clusters[$connection]) =>
				self::cluster(self::part($clusters, $connection), self::part($clusters, 'options') + $common, $connection),
			default => null,
		};
		if ($config !== null) {
			/** @var Options $config what is wrong in it, the extension refuses */
			return $config;
		}
		throw new \InvalidArgumentException("Redis connection [$connection] not configured.");
	}

	/**
	 * Several servers, of which most must have a lock. Its prefix is that of the connection.
	 *
	 * @param array<mixed> $databases the part "redis" of config/database.php
	 * @param array<mixed> $servers names of connections, or options of \RedisLock
	 * @return Options
	 */
	public static function ofServers(#[\SensitiveParameter] array $databases, #[\SensitiveParameter] array $servers,
		string $connection): array
	{
		$prefix = self::ofConnection($databases, $connection)['prefix'] ?? '';
		$servers = array_map(fn (mixed $server): mixed => is_string($server) && isset($databases[$server])
			? array_diff_key(self::ofConnection($databases, $server), ['prefix' => 0]) : $server, array_values($servers));

		return ['servers' => $servers, 'prefix' => $prefix];
	}

	/**
	 * @param array<mixed> $nodes some nodes of a Redis Cluster; the first one's credentials and times hold for all
	 * @param array<mixed> $common
	 * @return array<mixed>
	 */
	private static function cluster(#[\SensitiveParameter] array $nodes, #[\SensitiveParameter] array $common,
		string $connection): array
	{
		if (($common['cluster'] ?? 'redis') !== 'redis') {
			throw new \InvalidArgumentException("Redis connection [$connection] spreads keys over servers by itself, which " .
				'locks are not made for: only a Redis Cluster ("cluster" => "redis") is.');
		}
		$common = self::part($nodes, 'options') + $common;
		unset($nodes['options']);
		$nodes = array_map(self::parsed(...), $nodes);
		$config = self::server((reset($nodes) ?: []) + array_intersect_key($common, ['password' => 0, 'username' => 0]), $common,
			$connection);
		$config['cluster'] = array_map(fn ($node) => array_intersect_key($node, ['host' => 0, 'port' => 0]), array_values($nodes));
		unset($config['host'], $config['port'], $config['database']);

		return $config;
	}

	/**
	 * @param array<mixed> $config
	 * @param array<mixed> $common
	 * @return array<mixed>
	 */
	private static function server(#[\SensitiveParameter] array $config, #[\SensitiveParameter] array $common,
		string $connection): array
	{
		$config = self::withOptions($config, $common, $connection);
		if ((self::part($config, 'options')['replication'] ?? null) === 'sentinel') {
			// Predis: a list of sentinels, and beside them what holds for the servers.
			$config['sentinels'] = array_values(array_filter($config, is_int(...), ARRAY_FILTER_USE_KEY));
			$config = array_filter($config, is_string(...), ARRAY_FILTER_USE_KEY);
		}

		// A URL's scheme, by Laravel's name for it.
		if (in_array($config['driver'] ?? null, ['tcp', 'tls'], true)) {
			$config['scheme'] = $config['driver'];
		}
		// For neither of Laravel's clients does `ssl` alone mean TLS.
		$options = self::part($config, 'options');
		$parameters = self::part($options, 'parameters');
		$host = $config['host'] ?? null;
		if (!isset($config['scheme']) && !isset($parameters['scheme']) && !(is_string($host) && str_contains($host, '://'))) {
			unset($config['ssl']);
			$config['options'] = ['parameters' => array_diff_key($parameters, ['ssl' => 0])] + $options;
		}
		// Their name is that of the client, ours that of the lock. Of one that the server refuses Laravel hears nothing.
		if (is_string($config['name'] ?? null) && preg_match('/^[!-~]{1,255}$/D', $config['name']) === 1) {
			$config['client_name'] = $config['name'];
		}
		unset($config['driver'], $config['name']);
		// Without a password Laravel does not log in.
		if (($config['password'] ?? '') === '') {
			unset($config['username'], $config['password']);
		}

		return $config;
	}

	/**
	 * What stands with the connection wins over what stands beside the connections.
	 *
	 * @param array<mixed> $config
	 * @param array<mixed> $common
	 * @return array<mixed>
	 */
	private static function withOptions(#[\SensitiveParameter] array $config, #[\SensitiveParameter] array $common,
		string $connection): array
	{
		$options = self::part($config, 'options') + $common;
		$config['prefix'] ??= $options['prefix'] ?? null;
		$options['parameters'] = self::part($options, 'parameters')[$connection] ?? $options['parameters'] ?? null;
		unset($options['prefix'], $options['persistent']);
		if (is_string($options['cluster'] ?? null)) {
			// How clusters would be spoken to, not that this is one.
			unset($options['cluster']);
		}
		$config['options'] = array_filter($options, fn ($option) => $option !== null) ?: null;

		return array_filter($config, fn ($option) => $option !== null);
	}

	/**
	 * One connection, whose address may be a URL.
	 *
	 * @return array<mixed>
	 */
	private static function parsed(#[\SensitiveParameter] mixed $config): array
	{
		$config = is_string($config) ? ['url' => $config] : (array) $config;
		if (($config['url'] ?? null) === '' && ($config['host'] ?? $config['path'] ?? $config['unix_socket'] ?? null) === null) {
			// Laravel passes over it, and clients have a default server, too.
			Server::given('');
		}

		return (new ConfigurationUrlParser)->parseConfiguration($config);
	}

	/**
	 * @param array<mixed> $of
	 * @return array<mixed>
	 */
	private static function part(#[\SensitiveParameter] array $of, string $name): array
	{
		$part = $of[$name] ?? [];

		return is_array($part) ? $part : [];
	}
}
