<?php
require_once __DIR__ . '/../inc/cluster.inc';

/**
 * A Redis Cluster of three masters with a replica each, with persistence. Besides failing over, it has the slots of the
 * locks go from master to master, which must not lose any.
 */
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

	public function faults(): array
	{
		return parent::faults() + ['move slot' => [3, 50, 1500]];
	}

	protected function other(string $how): ?array
	{
		return $how === 'move slot' ? $this->move() : null;
	}

	/** The slot of some name begins to move; in the end it has, with what it holds then. Not while failing over. */
	private function move(): ?array
	{
		$name = $this->names()[array_rand($this->names())];
		try {
			$from = $this->cluster->owner($name);
		} catch (RuntimeException) {
			return null;
		}
		$masters = array_filter($this->cluster->nodes, fn ($node) => $node->client()('ROLE')[0] === 'master');
		unset($masters[$from]);
		if ($masters === [] || !$this->cluster->settled()) {
			return null;
		}
		$to = array_rand($masters);
		$slot = $this->cluster->slot($name);
		$this->cluster->beginMove($slot, $from, $to);
		/* The lock goes ahead, or stays to the end. */
		if (mt_rand(0, 1)) {
			$this->cluster->moveKeys($from, $to, $name);
		}
		return ["of $name, $from to $to", fn () => $this->cluster->endMove($slot, $from, $to)];
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
		try {
			$this->cluster->client($name)('DEL', $name);
		} catch (RuntimeException) {
			/* Nobody has it now. */
		}
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
