<?php
/**
 * Servers with replicas that take over: Sentinel or Cluster. Replication is asynchronous, so a lock may be lost with its
 * master; the driver notes when a failover begins, and until when the loss of a lock is excused by it.
 */
abstract class Failover implements World
{
	private const FAULTS = [
		'kill master' => [2, 2500, 4000], 'failover' => [2, 1500, 2500], 'freeze master' => [1, 200, 3000],
		'kill clients' => [1, 0, 0], 'kill a client' => [2, 0, 0], 'forget scripts' => [1, 0, 0],
	];

	/* After a failover began, ns: the failover, 4 s, and what a holder has not been told by then, the ttl, 3 s. */
	private const LOSS = 7_000_000_000;
	/* After a sentinel named another master, ns: what a holder has not been told by then, the ttl. */
	protected const LOSS_OF_SWITCH = 3_000_000_000;

	private bool $troubled = false;

	public function __construct(protected History $history)
	{
	}

	/** Some master there is now; null: none can be found. */
	abstract protected function master(): ?Server;

	/** Has a replica take over in order. false: there is none. */
	abstract protected function handOver(Server $master): bool;

	/** kill -9. Returns what brings the server back. */
	abstract protected function kill(Server $master): callable;

	public function names(): array
	{
		return ['plain-a', 'plain-b', 'plain-c', 'replicated-a', 'replicated-b', 'replicated-c'];
	}

	public function faults(): array
	{
		return self::FAULTS;
	}

	/** Does what only this kind knows; as trouble(). */
	protected function other(string $how): ?array
	{
		return null;
	}

	/** One trouble with the servers at a time. */
	public function trouble(string $how, int $ms): ?array
	{
		$done = $this->troubled ? null : (isset(self::FAULTS[$how]) ? $this->common($how) : $this->other($how));
		if ($done === null || $done[1] === null) {
			return $done;
		}
		$this->troubled = true;
		return [$done[0], function () use ($done) {
			$done[1]();
			$this->troubled = false;
		}];
	}

	private function common(string $how): ?array
	{
		$master = $this->master();
		if ($master === null) {
			return null;
		}
		$label = basename($master->dir);
		$redis = $master->client();
		$undo = null;
		if (str_contains($how, 'master') || $how === 'failover') {
			$this->history->note('info', 'excuse', until: hrtime(true) + self::LOSS, what: "$how, $label");
		}
		switch ($how) {
			case 'kill master':
				$undo = $this->kill($master);
				break;
			case 'freeze master':
				$master->freeze();
				$undo = $master->thaw(...);
				break;
			case 'failover':
				if (!$this->handOver($master)) {
					return null;
				}
				$undo = fn () => null;
				break;
			case 'kill clients':
				$redis('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
				break;
			case 'kill a client':
				preg_match_all('/^id=(\d+)/m', $redis('CLIENT', 'LIST'), $ids);
				$redis('CLIENT', 'KILL', 'ID', $ids[1][mt_rand(0, count($ids[1]) - 1)]);
				break;
			case 'forget scripts':
				$redis('SCRIPT', 'FLUSH');
				break;
		}
		return [$label, $undo];
	}
}
