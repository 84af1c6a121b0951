<?php
require_once __DIR__ . '/../inc/cluster.inc';

/** A Redis Cluster of three masters with a replica each, with persistence. */
final class ClusterFailover extends Failover
{
	private Cluster $cluster;

	public function __construct(History $history)
	{
		parent::__construct($history);
		$this->cluster = new Cluster('--appendonly', 'yes', '--appendfsync', 'no');
	}

	public function options(bool $proxied): array
	{
		return $this->cluster->options();
	}

	/** That of one of the names. */
	protected function master(): ?Server
	{
		$names = $this->names();
		try {
			return $this->cluster->nodes[$this->cluster->owner($names[array_rand($names)])];
		} catch (RuntimeException) {
			return null;
		}
	}

	protected function handOver(Server $master): bool
	{
		$port = $this->cluster->ports[array_search($master, $this->cluster->nodes, true)];
		foreach ($this->cluster->nodes as $node) {
			$role = $node->client()('ROLE');
			if ($role[0] === 'slave' && $role[2] === $port) {
				return $node->client()('CLUSTER', 'FAILOVER') === 'OK';
			}
		}
		return false;
	}

	protected function kill(Server $master): callable
	{
		$number = array_search($master, $this->cluster->nodes, true);
		unset($this->cluster->nodes[$number]);
		$master->kill();
		return function () use ($master, $number) {
			$master->start();
			$this->cluster->nodes[$number] = $master;
		};
	}

	public function delete(string $name): void
	{
		$this->cluster->client($name)('DEL', $name);
	}

	public function left(): array
	{
		$left = [];
		foreach ($this->cluster->nodes as $node) {
			if ($node->client()('ROLE')[0] === 'master') {
				array_push($left, ...array_map(fn ($key) => "key $key", $node->client()('KEYS', '*')));
			}
		}
		return $left;
	}
}
