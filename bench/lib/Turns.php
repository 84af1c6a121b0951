<?php
/*
 * Turns: who had a lock when, in the order in which they had it, and what the server did meanwhile.
 */
declare(strict_types=1);

namespace Bench;

final class Turns implements \Countable
{
	/** @var list<array{int, int, int, int}>  number (-1: the leader), began to wait, acquired, released; ns */
	private readonly array $turns;

	/**
	 * @param list<array{int, int, int, int}> $turns
	 * @param array<string, int> $before  counters of the server, with all waiters there
	 * @param array<string, int> $after
	 */
	public function __construct(array $turns, private readonly array $before, private readonly array $after)
	{
		usort($turns, static fn ($a, $b) => $a[2] <=> $b[2]);
		$this->turns = $turns;
		for ($i = 1; $i < count($turns); $i++) {
			if ($turns[$i][2] < $turns[$i - 1][3]) {
				throw new \RuntimeException('two had the lock at the same time');
			}
		}
	}

	/** From each release to the next owner running, ns. @return list<int> */
	public function handOvers(): array
	{
		$times = [];
		for ($i = 1; $i < count($this->turns); $i++) {
			$times[] = $this->turns[$i][2] - $this->turns[$i - 1][3];
		}

		return $times;
	}

	/** How many had the lock before somebody who queued earlier, where waiters queued by number. */
	public function inversions(): int
	{
		$inversions = 0;
		for ($i = 1; $i < count($this->turns); $i++) {
			$inversions += (int) ($this->turns[$i][0] < $this->turns[$i - 1][0]);
		}

		return $inversions;
	}

	/** How long each waited that began after the leader had let go, ns. @return list<int> */
	public function waits(): array
	{
		$go = $this->turns[0][3];
		$waits = [];
		foreach ($this->turns as [, $began, $acquired]) {
			if ($began > $go) {
				$waits[] = $acquired - $began;
			}
		}

		return $waits;
	}

	/** Nanoseconds from the leader's release to the last turn. */
	public function duration(): int
	{
		return $this->turns[count($this->turns) - 1][2] - $this->turns[0][3];
	}

	/** Hand-overs. */
	public function count(): int
	{
		return count($this->turns) - 1;
	}

	/**
	 * Commands the server ran for one hand-over, those inside scripts included, in a drain. The release of the last
	 * one hands over to nobody: its share is what does not divide.
	 */
	public function commands(): float
	{
		$sum = 0;
		foreach ($this->after as $name => $calls) {
			$calls -= $this->before[$name] ?? 0;
			if (str_starts_with($name, 'cmdstat_') && $name !== 'cmdstat_info') {
				$sum += $calls % $this->count() === 1 ? $calls - 1 : $calls;
			}
		}

		return $sum / $this->count();
	}

	/** Requests the server read for one hand-over, in a drain: less its last release and our own two questions. */
	public function requests(): float
	{
		$read = $this->after['total_reads_processed'] - $this->before['total_reads_processed'];

		return ($read - 3) / $this->count();
	}
}
