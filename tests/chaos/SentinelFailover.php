<?php
require_once __DIR__ . '/../inc/sentinel.inc';

/** A master and two replicas without persistence, under three sentinels. */
final class SentinelFailover extends Failover
{
	private Sentinels $sentinels;

	public function __construct(History $history)
	{
		parent::__construct($history);
		$this->sentinels = new Sentinels();
	}

	public function options(bool $proxied): array
	{
		return $this->sentinels->options();
	}

	protected function master(): ?Server
	{
		$master = $this->sentinels->master();
		return $master !== null && $this->sentinels->role($master) === 'master' ? $master : null;
	}

	protected function handOver(Server $master): bool
	{
		return $this->sentinels->ask($this->sentinels->sentinels[0])('SENTINEL', 'FAILOVER', $this->sentinels->service) === 'OK';
	}

	protected function kill(Server $master): callable
	{
		$master->kill();
		return function () use ($master) {
			$master->start();
			$new = $this->sentinels->master();
			if ($new !== null && $new !== $master) {
				/* What the sentinels do, too, but at their leisure. */
				$master->client()('REPLICAOF', '127.0.0.1', $new->port);
			}
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
