<?php
/** What goes wrong, and when it is right again. */
final class Faults
{
	/* How often, in relation, and for how long, ms. */
	private const WORKERS = [
		'kill' => [10, 0, 0], 'kill with child' => [4, 0, 0], 'stop' => [10, 20, 3500],
		'kill child' => [4, 0, 0], 'stop child' => [3, 200, 3500],
	];
	private const SERVERS = [
		'restart' => [2, 0, 400], 'freeze' => [3, 50, 1500], 'pause' => [3, 50, 1500],
		'kill clients' => [2, 0, 0], 'kill a client' => [4, 0, 0], 'forget scripts' => [1, 0, 0],
	];
	private const NETWORK = [
		'delay' => [3, 200, 1000], 'swallow up' => [1, 50, 1000], 'swallow down' => [1, 50, 1000],
		'swallow both' => [1, 50, 1000], 'leave client' => [1, 0, 0], 'leave server' => [1, 0, 0],
		'reset' => [2, 0, 0], 'refuse' => [1, 50, 500],
	];

	private array $healing = []; /* [due at ns, callable] */
	public array $done = []; /* what => how often */

	/** @param string[] $names of the locks */
	public function __construct(private object $world, private Crew $crew, private History $history, private array $names,
		private bool $sabotage)
	{
	}

	public function one(): void
	{
		$all = self::WORKERS + self::SERVERS + self::NETWORK + ($this->sabotage ? ['sabotage' => [5, 0, 0]] : []);
		$dice = mt_rand(1, array_sum(array_column($all, 0)));
		foreach ($all as $how => [$weight, $least, $most]) {
			if (($dice -= $weight) <= 0) {
				break;
			}
		}
		$ms = self::short($least, $most);
		$node = $this->world->nodes[array_rand($this->world->nodes)];
		match (true) {
			isset(self::WORKERS[$how]) => $this->worker($how, $ms),
			isset(self::SERVERS[$how]) => $this->server($node, $how, $ms),
			isset(self::NETWORK[$how]) => $this->network($node, $how, $ms),
			default => $this->sabotage($node),
		};
	}

	private function worker(string $how, int $ms): void
	{
		$id = $this->crew->pick();
		if ($id !== null) {
			$this->hit($id, $how, $ms, '');
		}
	}

	/** Those that stopped themselves between reading and writing: what comes then hits the inside of a section. */
	public function inside(): void
	{
		foreach ($this->crew->stopped() as $id) {
			$this->hit($id, ['stop', 'stop', 'stop', 'kill', 'kill', 'kill with child'][mt_rand(0, 5)], self::short(20, 6000),
				' inside');
		}
	}

	private function hit(string $id, string $how, int $ms, string $where): void
	{
		$this->begun("$how $id$where", $how . $where);
		$heal = match ($how) {
			'kill' => $this->crew->kill($id, false),
			'kill with child' => $this->crew->kill($id, true),
			'stop' => $this->crew->freeze($id),
			'kill child' => $this->crew->killChild($id),
			'stop child' => $this->crew->freezeChild($id),
		};
		$this->heal($heal, $ms, "$how $id");
	}

	private function server(Node $node, string $how, int $ms): void
	{
		if ($node->troubled) {
			return;
		}
		$this->begun("$how $node->label", $how);
		$heal = $node->trouble($how, $ms);
		$node->troubled = $heal !== null;
		$this->heal($heal === null ? null : function () use ($heal, $node) {
			$heal();
			$node->troubled = false;
		}, $ms, "$how $node->label");
	}

	private function network(Node $node, string $how, int $ms): void
	{
		if ($node->cut) {
			return;
		}
		$this->begun("$how $node->label", $how);
		$heal = $node->cut($how === 'delay' ? 'delay ' . mt_rand(1, 150) : $how);
		$node->cut = $heal !== null;
		$this->heal($heal === null ? null : function () use ($heal, $node) {
			$heal();
			$node->cut = false;
		}, $ms, "$how $node->label");
	}

	/** What must not happen: the checker has to find it. */
	private function sabotage(Node $node): void
	{
		if (!$node->troubled) {
			$name = $this->names[array_rand($this->names)];
			$this->begun("DEL $name", 'sabotage');
			$node->server->client()('DEL', $name);
		}
	}

	/** Between the two; the shorter, the more frequent. */
	private static function short(int $least, int $most): int
	{
		return (int) ($least + ($most - $least) * (mt_rand() / mt_getrandmax()) ** 2);
	}

	private function begun(string $what, string $kind): void
	{
		$this->history->note('fault', $what);
		$this->done[$kind] = ($this->done[$kind] ?? 0) + 1;
	}

	private function heal(?callable $heal, int $ms, string $what): void
	{
		if ($heal !== null) {
			$this->healing[] = [hrtime(true) + $ms * 1_000_000, $heal, $what];
		}
	}

	/** Undoes what has lasted long enough, or everything. */
	public function end(bool $all = false): void
	{
		foreach ($this->healing as $i => [$due, $heal, $what]) {
			if ($all || hrtime(true) >= $due) {
				unset($this->healing[$i]);
				$heal();
				$this->history->note('healed', $what);
			}
		}
	}
}
