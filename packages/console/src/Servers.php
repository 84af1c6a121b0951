<?php

declare(strict_types=1);

namespace RedisLock\Console;

use Predis\Client;
use Predis\Connection\Cluster\RedisCluster;
use Predis\Connection\NodeConnectionInterface;
use Predis\Connection\Replication\SentinelReplication;
use RedisLock\Adapter\Extension;
use RedisLock\Adapter\OptionTable;
use RedisLock\Adapter\Uri;
use RedisLock\Options;

/**
 * @internal The servers that the options of a lock name: one; several, of which most must have a lock; the master that sentinels know; or
 * the masters of a Cluster.
 *
 * The extension checks the options, where it is loaded.
 */
final class Servers
{
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
		$this->options = Options::from($options);
		$prefix = $this->options['prefix'] ?? Extension::setting('prefix');
		$this->prefix = is_string($prefix) ? $prefix : '';
		if (array_intersect_key($this->options, ['host' => 0, 'path' => 0, 'servers' => 0, 'sentinels' => 0, 'cluster' => 0]) === []) {
			$this->options += Options::from(Extension::setting('server') ?: 'tcp://127.0.0.1');
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
		return $this->word('service') !== '';
	}

	public function isCluster(): bool
	{
		return !OptionTable::isOff($this->options['cluster'] ?? false);
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
	 */
	private function parameters(#[\SensitiveParameter] array $server): array
	{
		$of_all = array_intersect_key($this->options, self::OF_CONNECTION + (isset($server['host']) || isset($server['path']) ? [] : self::ADDRESS));
		$server = array_intersect_key($server + $of_all, self::OF_CONNECTION + self::ADDRESS);
		$server['scheme'] = match (true) {
			isset($server['path']) => 'unix',
			in_array($server['scheme'] ?? null, Uri::TLS, true) || ($server['ssl'] ?? false) !== false => 'tls',
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
			$list[] = Options::from(match (true) {
				is_string($one) => str_contains($one, ':') ? $one : ['host' => $one],
				is_array($one) && array_is_list($one) => ['host' => $one[0] ?? null, 'port' => $one[1] ?? null, 'timeout' => $one[2] ?? null],
				default => (array) $one,
			});
		}

		return $list;
	}

	private function word(string $option): string
	{
		$word = $this->options[$option] ?? '';

		return is_string($word) ? $word : '';
	}
}
