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
		if (!isset($databases[$connection])) {
			return isset($databases['clusters'][$connection])
				? ['cluster' => $databases['clusters'][$connection]]
				: throw new \InvalidArgumentException("Redis connection [$connection] not configured.");
		}
		$config = (new ConfigurationUrlParser)->parseConfiguration($databases[$connection]);
		$config['options'] = self::options($config, $databases['options'] ?? [], $connection);
		unset($config['prefix']);

		// A URL's scheme, by Laravel's name for it.
		if (in_array($config['driver'] ?? null, ['tcp', 'tls'], true)) {
			$config['scheme'] = $config['driver'];
		}
		// Their name is that of the client, ours that of the lock.
		$config['client_name'] = $config['name'] ?? null;
		unset($config['driver'], $config['name']);
		// Without a password Laravel does not log in.
		if (($config['password'] ?? '') === '') {
			unset($config['username'], $config['password']);
		}

		return $config;
	}

	/** What stands with the connection wins over what stands beside the connections. */
	private static function options(#[\SensitiveParameter] array $config, #[\SensitiveParameter] array $common,
		string $connection): array
	{
		$options = ($config['options'] ?? []) + $common;
		$options['prefix'] = $config['prefix'] ?? $options['prefix'] ?? null;
		$options['parameters'] = $options['parameters'][$connection] ?? $options['parameters'] ?? null;

		return $options;
	}
}
