<?php
/** For how many there is room behind a name, and who is inside and who waits, as a history goes on. */
final class Room
{
	/* What is shorter, us, nobody asks about. */
	private const SHORT = 1_000_000;

	public array $idle = []; /* [from, to, who, line]: it waited, and whoever waited would have fitted all that time */
	private array $inside = []; /* who => weight */
	private array $waiting = []; /* who => [from, line, weight] */
	private int $full = 0; /* when one of those who waited would last not have fitted, us */

	public function __construct(public readonly int $size)
	{
	}

	/** To be called before anything changes. */
	private function look(int $at): void
	{
		$needed = array_sum($this->inside);
		foreach ($this->waiting as [, , $weight]) {
			if ($needed + $weight > $this->size) {
				$this->full = $at;
			}
		}
	}

	public function waits(string $who, int $at, int $line, int $weight): void
	{
		$this->look($at);
		$this->waiting[$who] = [$at, $line, $weight];
	}

	public function stopsWaiting(string $who, int $at): void
	{
		$this->look($at);
		if (isset($this->waiting[$who])) {
			[$from, $line] = $this->waiting[$who];
			$from = max($from, $this->full);
			if ($at - $from > self::SHORT) {
				$this->idle[] = [$from, $at, $who, $line];
			}
			unset($this->waiting[$who]);
		}
	}

	public function enters(string $who, int $at, int $weight): void
	{
		$this->stopsWaiting($who, $at);
		$this->inside[$who] = $weight;
	}

	public function leaves(string $who, int $at): void
	{
		$this->look($at);
		unset($this->inside[$who]);
	}

	public function ends(int $at): void
	{
		foreach (array_keys($this->waiting) as $who) {
			$this->stopsWaiting($who, $at);
		}
	}
}
