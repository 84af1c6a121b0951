<?php

declare(strict_types=1);

namespace RedisLock\Adapter;

/** @internal Reads the options of a client object of the application, for RedisLock\Options::from(). Nothing is guessed. */
final class ClientOptions
{
	/** Each says whether, and how, to encrypt. */
	private const TLS = ['scheme', 'ssl', 'useSSL'];
	/** Parameters of Predis that say where a server is and who asks it, beside its address. */
	private const PREDIS = ['scheme', 'database', 'username', 'password', 'ssl', 'timeout', 'read_write_timeout'];

	/** @param array $more what the caller says beside it */
	public static function read(#[\SensitiveParameter] object $client, #[\SensitiveParameter] array $more): array
	{
		return match (true) {
			$client instanceof \RedisCluster => self::ofCluster($client, $more),
			$client instanceof \Redis, $client instanceof \Relay\Relay => self::ofConnection($client, $more),
			$client instanceof \Predis\ClientInterface => self::ofPredis($client, $more),
			is_a($client, 'yii\redis\Connection') => self::ofYii(get_object_vars($client)),
			default => throw new \TypeError('RedisLock\Options::from(): Argument #1 ($given) must be an array, a URI, or of type Redis, ' .
				'RedisCluster, Relay\Relay, Predis\ClientInterface or yii\redis\Connection, ' . get_debug_type($client) . ' given'),
		};
	}

	/** Without a password it does not log in. Where there is a socket, it passes over the rest of the address. */
	private static function ofYii(#[\SensitiveParameter] array $connection): array
	{
		$names = ['unixSocket', 'scheme', 'hostname', 'port', 'database', 'connectionTimeout', 'dataTimeout', 'useSSL', 'contextOptions', 'retries',
			'retryInterval'];
		if (($connection['password'] ?? '') !== '') {
			array_push($names, 'username', 'password');
		}

		return array_intersect_key($connection, array_flip($names));
	}

	private static function ofConnection(\Redis|\Relay\Relay $client, #[\SensitiveParameter] array $more): array
	{
		if (!$client->isConnected()) {
			throw self::refusal($client, 'is not connected, so it does not tell its address: connect it first');
		}
		$database = $client->getDbNum();
		if ($database === false) {
			throw self::refusal($client, 'does not tell its database');
		}
		$auth = $client->getAuth();
		$times = array_filter(['timeout' => $client->getTimeout(), 'read_timeout' => $client->getReadTimeout()],
			static fn (mixed $seconds): bool => $seconds > 0 && $seconds <= OptionTable::HOUR);

		return self::address($client, $more) + $times + [
			'auth' => in_array($auth, [null, false, '', []], true) ? null : $auth,
			'database' => $database ?: null,
			'prefix' => self::prefix($client),
		];
	}

	/** Host names as phpredis has them: with a scheme, or a path. */
	private static function address(\Redis|\Relay\Relay $client, #[\SensitiveParameter] array $more): array
	{
		[$scheme, $host] = self::split((string) $client->getHost());
		if (str_starts_with($host, '/')) {
			return ['path' => $host];
		}
		$port = $client->getPort();
		$scheme ??= $client instanceof \Redis ? self::schemeOfStreams([(int) $port]) : self::split((string) $client->endpointId())[0];

		return ['host' => $host, 'port' => $port, 'scheme' => self::scheme($client, $scheme, $more)];
	}

	private static function ofCluster(\RedisCluster $client, #[\SensitiveParameter] array $more): array
	{
		if (!array_key_exists('password', $more)) {
			throw self::refusal($client, 'does not tell its password: give it as "auth", or null for none');
		}
		/** @var list<array{string, int}> $masters */
		$masters = array_values($client->_masters());
		// Opens the connection that schemeOfStreams() looks at.
		$client->ping($masters[0] ?? throw self::refusal($client, 'knows no nodes'));
		$nodes = array_map(static fn (array $node): array => ['host' => $node[0], 'port' => $node[1]], $masters);

		return [
			'cluster' => $nodes,
			'scheme' => self::scheme($client, self::schemeOfStreams(array_column($nodes, 'port')), $more),
			'prefix' => self::prefix($client),
		];
	}

	private static function ofPredis(\Predis\ClientInterface $client, #[\SensitiveParameter] array $more): array
	{
		if (self::prefixOf($client) === null && !array_key_exists('prefix', $more)) {
			throw self::refusal($client, 'does not tell its prefix: give it as "prefix"');
		}
		$read = ['prefix' => self::prefix($client)];
		$connection = $client->getConnection();
		if ($connection instanceof \Predis\Connection\NodeConnectionInterface) {
			return $read + self::selected($client, $more) + self::parameters($connection);
		}
		if (!$connection instanceof \Predis\Connection\Cluster\RedisCluster) {
			throw self::refusal($client, 'is connected by ' . get_debug_type($connection) . ', which does not tell its servers, ' .
				'or spreads keys over them by itself: give the options "sentinels" and "service", or the client of one server');
		}
		/** @var list<\Predis\Connection\NodeConnectionInterface> $nodes */
		$nodes = iterator_to_array($connection, false);

		return $read + ['cluster' => array_map(self::parameters(...), $nodes) ?: throw self::refusal($client, 'has no nodes')];
	}

	/** What Predis itself makes use of: of the address one half only, and no user without a password. */
	private static function parameters(\Predis\Connection\NodeConnectionInterface $connection): array
	{
		$given = $connection->getParameters()->toArray();
		$names = [...self::PREDIS, ...(($given['scheme'] ?? 'tcp') === 'unix' ? ['path'] : ['host', 'port'])];
		$read = array_intersect_key($given, array_flip($names));
		if (($read['password'] ?? '') === '') {
			unset($read['username'], $read['password']);
		}

		return $read;
	}

	/** Predis' parameters know nothing of a select() since; the server does. */
	private static function selected(\Predis\ClientInterface $client, #[\SensitiveParameter] array $more): array
	{
		$connection = $client->getConnection();
		if (array_key_exists('database', $more) || !$connection->isConnected()) {
			return [];
		}
		$said = $connection->executeCommand(\Predis\Command\RawCommand::create('CLIENT', 'INFO'));
		if (!is_string($said) || !preg_match('/(?:^| )db=(\d+)/', $said, $found)) {
			throw self::refusal($client, 'may have selected another database, and its server does not tell: give "database"');
		}

		return ['database' => (int) $found[1] ?: null];
	}

	/** @return array{?string, string} the scheme, in small letters, and the rest */
	private static function split(string $address): array
	{
		$end = strpos($address, '://');

		return $end === false ? [null, $address] : [strtolower(substr($address, 0, $end)), substr($address, $end + 3)];
	}

	/** How the client speaks to its server, unless $more says so. */
	private static function scheme(object $client, ?string $scheme, #[\SensitiveParameter] array $more): ?string
	{
		if (array_filter(array_intersect_key($more, array_flip(self::TLS)), static fn (mixed $o): bool => $o !== null) !== []) {
			return isset($more['scheme']) || isset($more['useSSL']) ? null : 'tls';
		}
		if ($scheme === 'tcp') {
			return 'tcp';
		}
		if ($scheme !== null && preg_match('/^(tls|ssl)/', $scheme)) {
			throw self::refusal($client, 'speaks TLS, and does not tell its certificates: give "ssl", [] for those of the system');
		}
		throw self::refusal($client, 'does not tell whether it speaks TLS: give "scheme" => "tcp", or "ssl"');
	}

	/**
	 * phpredis: a stream context makes a connection TLS, too, and no method tells. PHP's list of streams does: one to such a
	 * port that is encrypted is reason enough to ask. Those of pconnect() are in it in their first request only, so they
	 * count as unknown there, too.
	 *
	 * @param list<int> $ports
	 */
	private static function schemeOfStreams(array $ports): ?string
	{
		$kinds = [];
		foreach (get_resources() as $stream) {
			$kind = get_resource_type($stream);
			if (in_array($kind, ['stream', 'persistent stream'], true) &&
				preg_match('~^[^/]+:(\d+)$~', (string) @stream_socket_get_name($stream, true), $found) &&
				in_array((int) $found[1], $ports, true)) {
				$kinds[isset(stream_get_meta_data($stream)['crypto']) ? 'tls' : $kind] = true;
			}
		}

		return isset($kinds['tls']) ? 'tls' : (array_keys($kinds) === ['stream'] ? 'tcp' : null);
	}

	/** What the client adds to its keys; null: it does not tell. */
	public static function prefixOf(object $client): ?string
	{
		$prefix = match (true) {
			$client instanceof \Redis, $client instanceof \RedisCluster => $client->getOption(\Redis::OPT_PREFIX) ?: '',
			$client instanceof \Relay\Relay => $client->getOption(\Relay\Relay::OPT_PREFIX) ?: '',
			$client instanceof \Predis\ClientInterface => $client->getOptions()->prefix ?? '',
			default => null,
		};
		$prefix = $prefix instanceof \Predis\Command\Processor\KeyPrefixProcessor ? $prefix->getPrefix() : $prefix;

		return is_string($prefix) ? $prefix : null;
	}

	/** The client knows nothing of redislock.prefix of php.ini: where that is given, none is said to be none. */
	private static function prefix(object $client): ?string
	{
		$prefix = self::prefixOf($client) ?? '';

		return $prefix !== '' || Extension::setting('prefix') !== '' ? $prefix : null;
	}

	private static function refusal(object $client, string $why): \ValueError
	{
		return new \ValueError('RedisLock\Options::from(): Argument #1 ($given) is a ' . get_debug_type($client) . " that $why");
	}
}
