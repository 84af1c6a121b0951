<?php
require_once __DIR__ . '/../inc/sentinel.inc';

/** A master and two replicas without persistence, under three sentinels. */
final class SentinelFailover extends Failover
{
	private Sentinels $sentinels;
	/** @var Client[] of the sentinels */
	private array $clients;
	private array $ports; /* of the master, as each of them said last */
	private int $looked; /* when, ns */

	public function __construct(History $history)
	{
		parent::__construct($history);
		$this->sentinels = new Sentinels();
		$this->sentinels->alert();
		$this->clients = array_map($this->sentinels->ask(...), $this->sentinels->sentinels);
		$this->looked = hrtime(true);
		$this->ports = array_map($this->sentinels->masterPort(...), $this->clients);
	}

	/** A failover may take longer than usual, or be nobody's order. */
	public function look(): void
	{
		$at = hrtime(true);
		foreach ($this->clients as $i => $client) {
			$port = $this->sentinels->masterPort($client);
			if ($port !== $this->ports[$i]) {
				$this->ports[$i] = $port;
				$this->history->noteAt($this->looked, 'info', 'excuse', until: $this->looked + self::LOSS_OF_SWITCH,
						what: "sentinel $i to $port");
			}
		}
		$this->looked = $at;
	}

	public function options(bool $proxied): array
	{
		return $this->sentinels->options();
	}

	protected function master(): ?Server
	{
		$port = $this->port();
		foreach ($this->sentinels->servers as $server) {
			if ($server->port === $port && $this->sentinels->role($server) === 'master') {
				return $server;
			}
		}
		return null;
	}

	/** What the first of the sentinels says, who leads failovers; the others follow. */
	private function port(): int
	{
		return $this->sentinels->masterPort($this->clients[0]);
	}

	protected function handOver(Server $master): bool
	{
		return $this->clients[0]('SENTINEL', 'FAILOVER', $this->sentinels->service) === 'OK';
	}

	protected function kill(Server $master): callable
	{
		$master->kill();
		return function () use ($master) {
			$master->start();
			/* What the sentinels do, too, but at their leisure. */
			$port = $this->port();
			$master->client()('REPLICAOF', ...$port === $master->port ? ['NO', 'ONE'] : ['127.0.0.1', $port]);
		};
	}

	public function delete(string $name): void
	{
		$this->master()?->client()('DEL', $name);
	}

	public function left(): array
	{
		$master = $this->master();
		return $master === null ? ['no master'] : array_map(fn ($key) => "key $key", $master->client()('KEYS', '*'));
	}
}
