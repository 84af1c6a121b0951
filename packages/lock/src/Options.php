<?php

declare(strict_types=1);

namespace RedisLock;

use RedisLock\Adapter\ClientOptions;
use RedisLock\Adapter\OptionTable;
use RedisLock\Adapter\Uri;

/**
 * Makes options of \RedisLock of what other libraries have: locks then use the same server, user, database and prefix. They open
 * their own connections.
 *
 * This is the only place that knows how others nest and spell options. It needs neither the extension nor a server.
 *
 * @phpstan-import-type Options from \RedisLock as Parameters
 */
final class Options
{
	/** Where a server is, who asks it, and how: never among the options of a client library. */
	private const OF_SERVER = ['host', 'port', 'path', 'scheme', 'database', 'username', 'password', 'auth', 'useSSL', 'ssl', 'context',
		'contextOptions', 'url', 'servers', 'sentinels', 'cluster'];
	private const ADDRESS = ['host' => 0, 'port' => 0, 'path' => 0, 'scheme' => 0];

	/**
	 * @param array<mixed>|string|object $given a connection, or the whole part `redis`, of Laravel's config/database.php; parameters of Predis,
	 *     with its `options` beside them; an array for phpredis; a component of Yii 2, as an array or object; a DSN of Symfony, or another URI;
	 *     options of \RedisLock; or a client: a connected \Redis or Relay\Relay, a \RedisCluster, a Predis\Client of one server or of a
	 *     Redis Cluster
	 * @param array $more options merged over those read; null removes one. With a client object you must give `ssl` for TLS, except
	 *     with Predis; `scheme` for a host that phpredis' pconnect() got without one; and `auth` for a \RedisCluster, null for none
	 * @return Parameters options for \RedisLock, and for the list of \RedLock, by our own names
	 * @throws \TypeError a part of it has the wrong type
	 * @throws \ValueError it contradicts itself, asks for what is not possible, or does not tell a value that is needed
	 */
	public static function from(#[\SensitiveParameter] array|string|object $given, #[\SensitiveParameter] array $more = []): array
	{
		$more = self::named(self::withContext($more));
		$read = match (true) {
			is_object($given) => self::one(ClientOptions::read($given, $more)),
			is_string($given) => self::one(Uri::read($given, symfony: true)),
			isset($given['default']) => self::section($given),
			default => self::one($given, kind: $more),
		};
		if (is_array($read['cluster'] ?? null) && !is_array($more['cluster'] ?? null) && !OptionTable::isOff($more['cluster'] ?? null)) {
			unset($more['cluster']); // only says what the list is
		}

		/** @var Parameters $options what is wrong in it, the extension refuses */
		$options = self::given($more + $read);

		return $options;
	}

	/**
	 * @internal A connection of Laravel, as its own connectors read it.
	 * @param array<mixed> $databases the part `redis` of config/database.php
	 * @return Parameters
	 * @throws \InvalidArgumentException there is no such connection, or it spreads keys over servers
	 */
	public static function ofLaravel(#[\SensitiveParameter] array $databases, string $connection): array
	{
		$common = self::part($databases, 'options');
		$parameters = self::part($common, 'parameters');
		// By name, or for all.
		$common['parameters'] = $parameters[$connection] ?? array_filter($parameters,
			static fn (mixed $value, int|string $name): bool => !is_array($value) || OptionTable::own((string) $name) !== null, ARRAY_FILTER_USE_BOTH);
		$clusters = self::part($databases, 'clusters');
		$config = $databases[$connection] ?? null;
		if ($config === null && isset($clusters[$connection])) {
			$nodes = self::part($clusters, $connection);
			$options = self::part($nodes, 'options') + self::part($clusters, 'options') + $common;
			if (($options['cluster'] ?? 'redis') !== 'redis') {
				throw new \InvalidArgumentException("Redis connection [$connection] spreads keys over servers by itself, which " .
					'locks are not made for: only a Redis Cluster ("cluster" => "redis") is.');
			}
			unset($nodes['options']);
			$config = ['cluster' => array_values(array_map(static fn (#[\SensitiveParameter] mixed $node): array => array_diff_key(self::laravelServer($node), ['name' => 0]), $nodes)),
				'options' => $options] +
				array_intersect_key($options, ['username' => 0, 'password' => 0, 'prefix' => 0]);
		}
		if ($config === null) {
			throw new \InvalidArgumentException("Redis connection [$connection] not configured.");
		}
		$config = self::laravelServer($config);
		$options = self::part($config, 'options') + $common;
		// How clusters would be spoken to, not that this is one; and connections are kept as the extension does.
		unset($options['persistent'], $options['username'], $options['password']);
		$config['options'] = $options;
		// Its name is that of the client, ours that of the lock. Of one that the server refuses Laravel hears nothing.
		if (is_string($config['name'] ?? null) && preg_match('/^[!-~]{1,255}$/D', $config['name']) === 1) {
			$config['client_name'] = $config['name'];
		}
		unset($config['name']);
		// For neither of its clients does `ssl` alone mean TLS.
		$parameters = self::part($options, 'parameters');
		if (!isset($config['scheme']) && !isset($parameters['scheme']) && !(is_string($config['host'] ?? null) && str_contains($config['host'], '://'))) {
			unset($config['ssl'], $config['context'], $parameters['ssl']);
			$config['options']['parameters'] = $parameters;
		}

		/** @var Parameters $read what is wrong in it, the extension refuses */
		$read = self::given(self::one($config));

		return $read;
	}

	/** One server of Laravel's: its URL wins over the rest, and without a password Laravel does not log in. */
	private static function laravelServer(#[\SensitiveParameter] mixed $config): array
	{
		$config = self::withUrl(is_string($config) ? ['url' => $config] : (array) $config);
		if (($config['password'] ?? '') === '') {
			unset($config['username'], $config['password']);
		}

		return $config;
	}

	/** Laravel's whole part `redis`: its connection `default`, and options of ours beside it. */
	private static function section(#[\SensitiveParameter] array $given): array
	{
		$ofConnection = ['ssl', 'context', 'contextOptions', 'auth'];
		$beside = array_filter($given, static fn (mixed $value, int|string $key): bool => is_array($value) ? in_array($key, $ofConnection, true)
			: !in_array($key, ['client', 'default'], true), ARRAY_FILTER_USE_BOTH);
		$read = self::ofLaravel(['default' => $given['default'], 'options' => $given['options'] ?? null], 'default');
		$beside = self::given(self::named(self::withContext($beside)));
		foreach ($beside as $name => $value) {
			if (($read[$name] ?? $value) !== $value) {
				throw new \ValueError("option \"$name\" is given twice, with different values");
			}
		}

		return $beside + self::given($read);
	}

	/**
	 * One array, as one of the clients takes it.
	 *
	 * @param array $kind options beside it that say what a list of servers is
	 */
	private static function one(#[\SensitiveParameter] array $given, bool $isEntry = false, array $kind = []): array
	{
		$isUrl = ($given['url'] ?? '') !== '';
		$given = self::withUrl($given);
		$options = $given['options'] ?? [];
		if (!is_array($options)) {
			throw new \TypeError('option "options" must be an array, ' . get_debug_type($options) . ' given');
		}
		$yiiSocket = ($given['unixSocket'] ?? '') !== '';
		$list = [...self::part($given, Uri::HOSTS), ...array_values(array_filter($given, is_int(...), ARRAY_FILTER_USE_KEY))];
		$given = array_filter($given, is_string(...), ARRAY_FILTER_USE_KEY);
		unset($given['options'], $given[Uri::HOSTS]);
		if (is_object($given['retry'] ?? null)) {
			unset($given['retry']); // Predis' strategy
		}
		if ($isEntry) {
			unset($given['weight']); // of a server, by which Predis spreads keys
		}
		$given = self::withContext($given);
		if ($isUrl && ($given['scheme'] ?? 'tls') !== 'tls' && !OptionTable::isOff($given['ssl'] ?? null)) {
			throw new \ValueError(Uri::CLEAR_TEXT);
		}
		$replication = $given['replication'] ?? $options['replication'] ?? null;
		unset($given['replication']);
		$given = self::place(self::given(self::named($given)));
		$defaults = self::ofClient($options);
		// Of one address, not the half of another.
		if (isset($given['host']) || isset($given['path'])) {
			$defaults = array_diff_key($defaults, isset($given['path']) ? self::ADDRESS : ['path' => 0]);
		}
		$given = self::address(self::tls($given + $defaults), $yiiSocket);
		if (!OptionTable::isOff($replication) && $replication !== 'sentinel') {
			throw new \ValueError('option "replication" asks for replication without sentinels, which is not supported');
		}

		return self::lists($given, $list, $kind, $replication === 'sentinel', ($options['cluster'] ?? null) === 'redis');
	}

	/** A URL wins over what stands beside it. An empty one is absent, if something else names a server. */
	private static function withUrl(#[\SensitiveParameter] array $given): array
	{
		$url = $given['url'] ?? null;
		unset($given['url']);
		if ($url === '' && array_filter(array_intersect_key(self::known($given), ['host' => 0, 'path' => 0, 'servers' => 0, 'sentinels' => 0, 'cluster' => 0])) === []) {
			throw new \ValueError('option "url" must name a server, and names none; the default server is never used instead');
		}
		if ($url === null || $url === '') {
			return $given;
		}
		if (!is_string($url)) {
			throw new \TypeError('option "url" must be a string, ' . get_debug_type($url) . ' given');
		}
		$read = Uri::read($url, 'option "url"');
		$beside = self::known($given);
		if (($read['scheme'] ?? 'tcp') !== 'tls' && (in_array($beside['scheme'] ?? null, Uri::TLS, true) ||
			($beside['useSSL'] ?? false) && !OptionTable::isOff($beside['useSSL']))) {
			throw new \ValueError('option "scheme" asks for TLS, and option "url" beside it for clear text');
		}
		// Its address is a whole, and so is who asks.
		$loses = self::ADDRESS + self::known($read) + (isset($read['username']) ? ['username' => 0, 'password' => 0, 'auth' => 0] : []);

		return $read + array_filter($given, static fn (int|string $key): bool => is_int($key) || !isset($loses[OptionTable::own((string) $key)]), ARRAY_FILTER_USE_KEY);
	}

	/**
	 * What a client library's own options say of the server: `parameters` are defaults of each connection, and two prefixes are no
	 * contradiction. What names a server there is refused, since ignored it would lead elsewhere or weaken the lock.
	 */
	private static function ofClient(#[\SensitiveParameter] array $options): array
	{
		foreach ($options as $key => $value) {
			$isLaravels = $key === 'cluster' && is_string($value);
			if (in_array(OptionTable::own((string) $key) ?? $key, self::OF_SERVER, true) && !OptionTable::isOff($value) && !$isLaravels) {
				throw new \ValueError("option \"options.$key\" must be given beside \"options\", not in it");
			}
		}
		$parameters = $options['parameters'] ?? [];
		if (!is_array($parameters) || $parameters !== [] && array_is_list($parameters) || isset($parameters['options'])) {
			throw new \TypeError('option "options.parameters" must be an array of connection options');
		}
		$prefix = $options['prefix'] ?? null;
		if ($prefix !== null && !is_string($prefix) && !is_int($prefix)) {
			throw new \TypeError('option "options.prefix" must be a string, ' . get_debug_type($prefix) . ' given');
		}

		return self::given(['prefix' => $prefix, 'service' => $options['service'] ?? null]) + ($parameters === [] ? [] : self::one($parameters));
	}

	/**
	 * phpredis has options of TLS in `context.stream` or `context.ssl`, beside `auth`; Yii 2 in `contextOptions.ssl`, which counts with `useSSL`.
	 */
	private static function withContext(#[\SensitiveParameter] array $given): array
	{
		foreach (['context', 'contextOptions'] as $key) {
			$context = $given[$key] ?? [];
			unset($given[$key]);
			if (!is_array($context) && !OptionTable::isOff($context)) {
				throw new \TypeError("option \"$key\" must be an array, " . get_debug_type($context) . ' given');
			}
			foreach (is_array($context) ? $context : [] as $part => $value) {
				// Options of the socket cannot change what a lock means.
				if (OptionTable::isOff($value) || $part === 'socket' || $key === 'contextOptions' && OptionTable::isOff($given['useSSL'] ?? true)) {
					continue;
				}
				$name = ['ssl' => 'ssl', 'stream' => 'ssl', 'auth' => 'auth'][$part]
					?? throw new \ValueError("option \"$key.$part\" is not supported; only ssl and stream are");
				$before = $given[$name] ?? null;
				if ($name === 'ssl' && !is_array($value) || !OptionTable::isOff($before) && $before !== $value) {
					throw new \ValueError("options \"$key.$part\" and \"$name\" contradict each other");
				}
				$given[$name] = $value;
			}
		}

		return $given;
	}

	/** A host of phpredis may also be "tls://name", or the path of a socket; it has a port of 0 or -1 then. */
	private static function place(#[\SensitiveParameter] array $given): array
	{
		if (!is_string($given['host'] ?? null) || preg_match('~^(?:(\w+)://)?(/?)~', $given['host'], $parts) !== 1 || $parts[0] === '') {
			return $given;
		}
		[$start, $scheme, $isPath] = $parts;
		$rest = substr($given['host'], strlen($start) - strlen($isPath));
		if ($scheme !== '' && is_string($given['scheme'] ?? $scheme) && strtolower($given['scheme'] ?? $scheme) !== strtolower($scheme)) {
			throw new \ValueError('options "scheme" and "host" contradict each other');
		}
		$given = ($scheme === '' ? [] : ['scheme' => $scheme]) + $given;

		return $isPath === '' ? ['host' => $rest] + $given : ['path' => $rest] + array_diff_key($given, ['host' => 0, 'port' => 0]);
	}

	/**
	 * Predis and phpredis look at options of TLS only where the scheme is one of TLS, or there is none; Yii 2 has `useSSL`, beside
	 * the scheme tcp.
	 */
	private static function tls(#[\SensitiveParameter] array $given): array
	{
		$wanted = !OptionTable::isOff($given['useSSL'] ?? null) || ($given['ssl'] ?? null) === true;
		$scheme = is_string($given['scheme'] ?? null) ? strtolower($given['scheme']) : null;
		$isClear = in_array($scheme, [...Uri::CLEAR, 'unix'], true);
		if ($wanted && $scheme === 'unix') {
			throw new \ValueError('options of TLS are given for a unix socket, on which there is no TLS');
		}
		if ($wanted && ($scheme === null || $isClear)) {
			$given['scheme'] = 'tls';
		} elseif ($isClear) {
			unset($given['ssl']);
		}
		if (OptionTable::isOff($given['ssl'] ?? null) || ($given['ssl'] ?? null) === true) {
			unset($given['ssl']);
		}
		unset($given['useSSL']);

		return $given;
	}

	/**
	 * A host and the path of a socket in one array are common, one of them left over from a stock configuration. `scheme` says which is
	 * meant; Yii 2, which has a host by default, prefers the socket.
	 */
	private static function address(#[\SensitiveParameter] array $given, bool $yiiSocket): array
	{
		if (isset($given['path'], $given['host'])) {
			$isSocket = $yiiSocket ? true : (isset($given['scheme']) ? $given['scheme'] === 'unix' : null);
			$given = $isSocket === null ? $given : array_diff_key($given, $isSocket ? self::ADDRESS : ['path' => 0]) + ($isSocket ? ['path' => $given['path']] : []);
		} elseif ($yiiSocket) {
			unset($given['port'], $given['scheme']);
		}

		return $given;
	}

	/** Lists of servers. Predis and Symfony have one without a name, and say beside it what it is. */
	private static function lists(#[\SensitiveParameter] array $given, #[\SensitiveParameter] array $unnamed, array $kind, bool $isSentinel, bool $isCluster): array
	{
		$isSentinel = $isSentinel || ($given['service'] ?? $kind['service'] ?? '') !== '';
		$isCluster = $isCluster || !OptionTable::isOff($given['cluster'] ?? $kind['cluster'] ?? null);
		if (($given['cluster'] ?? null) === 'redis') {
			$given['cluster'] = true;
		}
		if ($unnamed !== []) {
			if ($isSentinel === $isCluster) {
				throw new \ValueError($isSentinel ? 'a configuration cannot be of sentinels and of a Cluster at once'
					: 'a list of servers needs "service" (sentinels) or "cluster" => true beside it; options of one server have their names as keys');
			}
			$given[$isSentinel ? 'sentinels' : 'cluster'] = $unnamed;
		}
		foreach (['servers', 'sentinels', 'cluster'] as $name) {
			if (is_array($given[$name] ?? null)) {
				$given[$name] = array_map(self::entry(...), $given[$name]);
			}
		}
		if (is_array($given['cluster'] ?? null)) {
			$given = self::cluster($given);
		}

		return $given;
	}

	/** An entry of a list: with names where it has them; "host:port" and [host, port, timeout] stay. */
	private static function entry(#[\SensitiveParameter] mixed $entry): mixed
	{
		if (is_string($entry) && str_contains($entry, '://')) {
			$entry = Uri::read($entry, 'the address');
		}

		return is_array($entry) && !array_is_list($entry) ? self::one($entry, true) : $entry;
	}

	/** Laravel and Predis give user, password, TLS and times in each entry of a Cluster. They hold for nodes that are found later, too. */
	private static function cluster(#[\SensitiveParameter] array $given): array
	{
		$nodes = self::part($given, 'cluster');
		foreach ($nodes as $at => $node) {
			if (!is_array($node) || array_is_list($node)) {
				continue;
			}
			foreach (array_filter(array_diff_key($node, self::ADDRESS, ['database' => 0]), static fn (mixed $value): bool => $value !== '') as $name => $value) {
				$given[(string) $name] ??= $value;
				if ($given[(string) $name] !== $value) {
					throw new \ValueError("option \"$name\" must be the same for all nodes of a Cluster; give it beside the list");
				}
			}
			$nodes[$at] = array_intersect_key($node, self::ADDRESS);
		}
		$given['cluster'] = $nodes;
		// It has no other one.
		if (in_array($given['database'] ?? null, [0, '0', ''], true)) {
			unset($given['database']);
		}

		return $given;
	}

	/** By our names. Two spellings of one option must not differ. What no client knows stays, and is refused as unknown later. */
	private static function named(#[\SensitiveParameter] array $given): array
	{
		$named = $spelt = [];
		foreach ($given as $key => $value) {
			$name = OptionTable::own((string) $key);
			if ($name === null && ($value === null || is_array($value))) {
				throw OptionTable::unknown((string) $key);
			}
			$parts = match (true) {
				$name === '' => [],
				$name === 'auth' => self::login($value),
				$name === 'retryInterval' && is_numeric($value) => ['retry_interval' => (int) ceil($value / 1000)], // Yii's is in microseconds
				default => [$name ?? (string) $key => $value],
			};
			foreach ($parts as $part => $of) {
				if (isset($named[$part], $of) && $named[$part] != $of) {
					throw new \ValueError("options \"$spelt[$part]\" and \"$key\" contradict each other");
				}
				$named[$part] = $of ?? $named[$part] ?? null;
				$spelt[$part] = $key;
			}
		}

		return $named;
	}

	/** `auth` is a password, [password], [user, password], or an array with the two by name. */
	private static function login(#[\SensitiveParameter] mixed $auth): array
	{
		if (!is_array($auth)) {
			return $auth === null || $auth === false ? ['username' => null, 'password' => null] : ['password' => $auth];
		}
		$login = match (array_is_list($auth) ? count($auth) : -1) {
			-1 => self::known($auth),
			0, 1 => ['password' => $auth[0] ?? null],
			2 => ['password' => $auth[1]] + (($auth[0] ?? '') === '' ? [] : ['username' => $auth[0]]),
			default => null,
		};

		return $login !== null && array_diff_key($login, ['username' => 0, 'password' => 0]) === [] ? $login
			: throw new \ValueError('option "auth" must be ' . OptionTable::AUTH . ', or an array with "user" and "pass"');
	}

	/** What is there under our names, without a check. */
	private static function known(#[\SensitiveParameter] array $given): array
	{
		$known = [];
		foreach ($given as $key => $value) {
			$known[OptionTable::own((string) $key) ?? (string) $key] ??= $value;
		}

		return $known;
	}

	/** Without those that are null, which are not given. */
	private static function given(#[\SensitiveParameter] array $options): array
	{
		return array_filter($options, static fn (mixed $option): bool => $option !== null);
	}

	private static function part(#[\SensitiveParameter] array $of, string $name): array
	{
		$part = $of[$name] ?? [];

		return is_array($part) ? $part : [];
	}
}
