<?php
/** What goes wrong, and when it is right again. */
final class Faults
{
	/* How often, in relation, and for how long, ms. */
	private const WORKERS = [
		'kill' => [10, 0, 0], 'kill with child' => [4, 0, 0], 'stop' => [10, 20, 3500],
		'kill child' => [4, 0, 0], 'stop child' => [3, 200, 3500],
	];

	private array $healing = []; /* [due at ns, callable] */
	public array $done = []; /* what => how often */

	public function __construct(private World $world, private Crew $crew, private History $history, private bool $sabotage)
	{
	}

	public function one(): void
	{
		$all = self::WORKERS + $this->world->faults() + ($this->sabotage ? ['sabotage' => [5, 0, 0]] : []);
		$dice = mt_rand(1, array_sum(array_column($all, 0)));
		foreach ($all as $how => [$weight, $least, $most]) {
			if (($dice -= $weight) <= 0) {
				break;
			}
		}
		$ms = self::short($least, $most);
		match (true) {
			isset(self::WORKERS[$how]) => $this->worker($how, $ms),
			$how === 'sabotage' => $this->sabotage(),
			default => $this->trouble($how, $ms),
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
		$this->heal($heal, $ms, "$how $id$where");
	}

	private function trouble(string $how, int $ms): void
	{
		$begun = hrtime(true);
		$done = $this->world->trouble($how, $ms);
		if ($done !== null) {
			[$whom, $heal] = $done;
			$this->begun("$how $whom", $how, $begun);
			$this->heal($heal, $ms, "$how $whom");
		}
	}

	/** What must not happen: the checker has to find it. */
	private function sabotage(): void
	{
		$names = $this->world->names();
		$name = $names[array_rand($names)];
		$this->begun("delete $name", 'sabotage');
		$this->world->delete($name);
	}

	/** Between the two; the shorter, the more frequent. */
	private static function short(int $least, int $most): int
	{
		return (int) ($least + ($most - $least) * (mt_rand() / mt_getrandmax()) ** 2);
	}

	private function begun(string $what, string $kind, ?int $at = null): void
	{
		$this->history->noteAt($at ?? hrtime(true), 'info', 'fault', what: $what);
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
				$this->history->note('info', 'healed', what: $what);
			}
		}
	}
}
