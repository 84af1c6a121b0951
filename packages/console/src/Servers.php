<?php

declare(strict_types=1);

namespace RedisLock\Console;

use Predis\Client;
use Predis\Connection\Cluster\RedisCluster;
use Predis\Connection\NodeConnectionInterface;
use Predis\Connection\Replication\SentinelReplication;

/**
 * The servers that the options of a lock name: one; several, of which most must have a lock; the master that sentinels know; or
 * the masters of a Cluster.
 *
 * It understands the options that say where a server is. The extension checks them all, where it is loaded.
 *
 * @internal
 */
final class Servers
{
	private const SPELLINGS = [
		'hostname' => 'host', 'unixSocket' => 'path', 'unix_socket' => 'path', 'db' => 'database', 'dbindex' => 'database', 'user' => 'username',
		'pass' => 'password', 'connectionTimeout' => 'timeout', 'connect_timeout' => 'timeout', 'connectTimeout' => 'timeout',
		'read_timeout' => 'read_write_timeout', 'readTimeout' => 'read_write_timeout', 'dataTimeout' => 'read_write_timeout',
		'redis_sentinel' => 'service', 'sentinel_master' => 'service', 'sentinel_service' => 'service', 'sentinel' => 'service', 'redis_cluster' => 'cluster',
		'contextOptions' => 'context',
	];
	private const ADDRESS = ['host' => 0, 'port' => 0, 'path' => 0];
	private const OF_CONNECTION = ['username' => 0, 'password' => 0, 'database' => 0, 'ssl' => 0, 'scheme' => 0, 'timeout' => 0, 'read_write_timeout' => 0];
	/** Seconds. */
	private const TIMEOUT = 2.0;
	private const SENTINEL_PORT = 26379;

	public readonly string $prefix;
	/** @var array<string, mixed> */
	private array $options;
	/** @var non-empty-list<Connection>|null */
	private ?array $masters = null;

	/** @param array<mixed> $options as for \RedisLock */
	public function __construct(#[\SensitiveParameter] array $options)
	{
		$this->options = self::plain($options);
		$prefix = $this->options['prefix'] ?? ini_get('redislock.prefix');
		$this->prefix = is_string($prefix) ? $prefix : '';
		if (array_intersect_key($this->options, ['host' => 0, 'path' => 0, 'servers' => 0, 'sentinels' => 0, 'cluster' => 0]) === []) {
			$this->options += self::plain(['url' => ini_get('redislock.server') ?: 'tcp://127.0.0.1']);
		}
	}

	/**
	 * A connection to each server that has locks.
	 *
	 * @return non-empty-list<Connection>
	 * @throws ServerTrouble one of them cannot be reached; with several servers: not even one
	 */
	public function masters(): array
	{
		return $this->masters ??= match (true) {
			$this->isQuorum() => $this->independent(),
			$this->hasSentinels() => $this->ofSentinels(),
			$this->isCluster() => $this->ofCluster(),
			default => [Connection::to($this->parameters([]))],
		};
	}

	/** The number of servers that must have a lock. */
	public function majority(): int
	{
		return $this->isQuorum() ? intdiv($this->count(), 2) + 1 : 1;
	}

	/** The number of independent servers; else 1. */
	public function count(): int
	{
		return $this->isQuorum() ? count($this->listed('servers')) : 1;
	}

	public function isQuorum(): bool
	{
		return isset($this->options['servers']);
	}

	public function hasSentinels(): bool
	{
		return isset($this->options['service']);
	}

	public function isCluster(): bool
	{
		return (bool) ($this->options['cluster'] ?? false);
	}

	/** The replicas that an acquisition waits for. */
	public function minReplicas(): int
	{
		$replicas = $this->options['min_replicas'] ?? 0;

		return is_numeric($replicas) ? (int) $replicas : 0;
	}

	/** @return non-empty-list<Connection> */
	private function independent(): array
	{
		$connections = [];
		foreach ($this->listed('servers') as $server) {
			try {
				$connections[] = Connection::to($this->parameters($server));
			} catch (ServerTrouble $trouble) {
				continue;
			}
		}

		return $connections !== [] ? $connections : throw $trouble ?? new ServerTrouble('the option "servers" is empty');
	}

	/** @return non-empty-list<Connection> */
	private function ofSentinels(): array
	{
		$login = ['username' => $this->options['sentinel_username'] ?? null, 'password' => $this->options['sentinel_password'] ?? null];
		$seeds = isset($this->options['sentinels']) ? $this->listed('sentinels') : [array_intersect_key($this->options, ['host' => 0, 'port' => 0])];
		$seeds = array_map(fn (array $seed): array => array_filter($login) + array_diff_key($this->parameters($seed + ['port' => self::SENTINEL_PORT]),
			['username' => 0, 'password' => 0, 'database' => 0]), $seeds);
		$client = new Client($seeds, ['replication' => 'sentinel', 'service' => $this->options['service'] ?? '', 'parameters' => $this->parameters([])]);
		/** @var SentinelReplication $sentinels */
		$sentinels = $client->getConnection();

		return [new Connection(ServerTrouble::of('sentinels', $sentinels->getMaster(...)))];
	}

	/** @return non-empty-list<Connection> */
	private function ofCluster(): array
	{
		$seeds = array_map($this->parameters(...), is_array($this->options['cluster']) ? $this->listed('cluster') : [[]]);
		$client = new Client($seeds, ['cluster' => 'redis', 'parameters' => array_diff_key($this->parameters([]), ['host' => 0, 'port' => 0, 'path' => 0])]);
		/** @var RedisCluster $cluster */
		$cluster = $client->getConnection();
		/** @var list<NodeConnectionInterface> $nodes */
		$nodes = iterator_to_array(ServerTrouble::of('Cluster', $cluster->getIterator(...)), false);

		return array_map(static fn (NodeConnectionInterface $node): Connection => new Connection($node), $nodes) ?: throw new ServerTrouble('the Cluster has no slots');
	}

	/**
	 * As Predis has them.
	 *
	 * @param array<string, mixed> $server of one server; what it does not say, all say
	 * @return array<string, mixed>
	 */
	private function parameters(#[\SensitiveParameter] array $server): array
	{
		$of_all = array_intersect_key($this->options, self::OF_CONNECTION + (isset($server['host']) || isset($server['path']) ? [] : self::ADDRESS));
		$server = array_intersect_key($server + $of_all, self::OF_CONNECTION + self::ADDRESS);
		$server['scheme'] = match (true) {
			isset($server['path']) => 'unix',
			in_array($server['scheme'] ?? null, ['tls', 'ssl', 'rediss', 'valkeys'], true) || ($server['ssl'] ?? false) !== false => 'tls',
			default => 'tcp',
		};
		if (($server['database'] ?? 0) == 0) {
			unset($server['database']); // the right to SELECT is not needed then
		}
		$server['ssl'] = is_array($server['ssl'] ?? null) ? $server['ssl'] : null;

		return array_filter($server, static fn (mixed $value): bool => $value !== null) + ['timeout' => self::TIMEOUT, 'read_write_timeout' => self::TIMEOUT];
	}

	/** @return list<array<string, mixed>> */
	private function listed(string $option): array
	{
		$list = [];
		foreach (is_array($this->options[$option]) ? $this->options[$option] : [] as $one) {
			$list[] = self::plain(match (true) {
				is_string($one) => ['url' => $one],
				is_array($one) && array_is_list($one) => ['host' => $one[0] ?? null, 'port' => $one[1] ?? null, 'timeout' => $one[2] ?? null],
				default => (array) $one,
			});
		}

		return $list;
	}

	/**
	 * One array, one spelling.
	 *
	 * @param array<mixed> $given
	 * @return array<string, mixed>
	 */
	private static function plain(#[\SensitiveParameter] array $given): array
	{
		$given = array_filter($given, static fn (mixed $option): bool => $option !== null);
		if (is_array($given['default'] ?? null)) {
			$given += $given['default'];
		}
		$nested = is_array($given['options'] ?? null) ? $given['options'] : [];
		$given += array_intersect_key($nested, ['prefix' => 0, 'service' => 0]);
		if (is_array($nested['parameters'] ?? null)) {
			$given += self::plain($nested['parameters']);
		}
		// As the extension has it: what an array says of plain text counts for options of TLS beside it.
		$clear = in_array($given['scheme'] ?? null, ['tcp', 'redis', 'valkey', 'unix'], true) || isset($given['useSSL']) && !$given['useSSL'];
		if (is_string($given['url'] ?? null)) {
			$given = self::uri($given['url']) + $given;
		}
		$plain = [];
		foreach ($given as $name => $option) {
			$plain[self::SPELLINGS[$name] ?? (string) $name] = $option;
		}
		$context = is_array($plain['context'] ?? null) ? $plain['context'] : [];
		$plain = ($clear && !($plain['useSSL'] ?? false) ? ['ssl' => false] : []) + $plain +
			['ssl' => $context['ssl'] ?? $context['stream'] ?? (($plain['useSSL'] ?? false) ? [] : false)];
		$plain += match (true) {
			is_string($plain['auth'] ?? null) => ['password' => $plain['auth']],
			is_array($plain['auth'] ?? null) => self::login($plain['auth']),
			default => [],
		};
		if (is_string($plain['host'] ?? null) && preg_match('~^(?:(tcp|tls|ssl)://)?(.+)$~', $plain['host'], $parts)) {
			$plain = (str_starts_with($parts[2], '/') ? ['path' => $parts[2]] : ['host' => $parts[2]]) + $plain;
			$plain += $parts[1] === '' ? [] : ['scheme' => $parts[1]];
		}

		return $plain;
	}

	/**
	 * @param array<mixed> $auth
	 * @return array<string, mixed>
	 */
	private static function login(#[\SensitiveParameter] array $auth): array
	{
		$words = array_is_list($auth) ? array_reverse($auth) : [$auth['pass'] ?? null, $auth['user'] ?? null];

		return array_filter(['password' => $words[0] ?? null, 'username' => $words[1] ?? null], static fn (mixed $word): bool => $word !== null);
	}

	/**
	 * The hosts in the query of Symfony's DSNs, and the one in front of it.
	 *
	 * @param list<string> $hosts
	 * @param array<string, mixed> $more
	 * @return array<string, mixed>
	 */
	private static function dsn(#[\SensitiveParameter] string $uri, array $hosts, #[\SensitiveParameter] array $more): array
	{
		$more += self::uri((string) preg_replace('~^([a-z]+):(?://)?~', '$1://', $uri));
		[$host, $port] = [$more['host'] ?? '', $more['port'] ?? ''];
		if (is_string($host) && is_string($port) && $host !== '') {
			array_unshift($hosts, $port === '' ? $host : "$host:$port");
		}
		unset($more['host'], $more['port']);
		$hosts = array_map(static fn (string $host): string => rtrim($host, ':'), $hosts);
		if (array_intersect_key($more, array_flip(array_keys(self::SPELLINGS, 'service', true)) + ['service' => 0]) !== []) {
			// Their password, too.
			[$password, $user] = array_reverse((array) ($more['auth'] ?? [])) + [null, null];
			$more = ['sentinels' => $hosts, 'sentinel_username' => $user, 'sentinel_password' => $password] +
				(isset($more['password']) ? array_diff_key($more, ['auth' => 0]) : $more);
		} elseif (count($hosts) > 1) {
			$more['cluster'] = $hosts;
		} else {
			$more += self::uri($hosts[0]);
		}

		return array_filter($more, static fn (mixed $option): bool => $option !== null);
	}

	/** @return array<string, mixed> */
	private static function uri(#[\SensitiveParameter] string $uri): array
	{
		[$uri, $query] = explode('?', $uri, 2) + [1 => ''];
		parse_str($query, $options);
		$more = [];
		foreach ($options as $name => $option) {
			$more[(string) $name] = $option;
		}
		if (is_array($more['host'] ?? null)) {
			return self::dsn($uri, array_map(strval(...), array_keys($more['host'])), array_diff_key($more, ['host' => 0]));
		}
		if (!preg_match('~^(?:([a-z]+):(?=/)(?://)?)?(?:([^@/]*)@)?([^/]*)(/.*)?$~', $uri, $parts)) {
			return $more;
		}
		[$scheme, $login, $host, $path] = [$parts[1], $parts[2], $parts[3], $parts[4] ?? ''];
		if ($login !== '') {
			$words = array_map(rawurldecode(...), explode(':', $login, 2));
			$more += isset($words[1]) ? array_filter(['username' => $words[0], 'password' => $words[1]], static fn (string $word): bool => $word !== '')
				: ['password' => $words[0]];
		}
		if ($host === '' && $path !== '') {
			if ($scheme !== 'unix' && preg_match('~^(.+)/(\d+)$~', $path, $socket)) {
				return $more + ['path' => rawurldecode($socket[1]), 'database' => $socket[2]];
			}

			return $more + ['path' => rawurldecode($path)];
		}
		if (preg_match('~^(.*):(\d+)$~', $host, $address)) {
			$more += ['host' => $address[1], 'port' => $address[2]];
		}
		$more += ['host' => $host] + ($scheme === '' ? [] : ['scheme' => $scheme]);

		return $more + (preg_match('~^/(\d+)$~', $path, $database) ? ['database' => $database[1]] : []);
	}
}
