<?php
/*
 * Crowd: many waiters for one lock and the leader who holds it while they gather; bench/crowd.c says what they are
 * told and what they report.
 */
declare(strict_types=1);

namespace Bench;

final class Crowd
{
	/** Longest time a crowd may take for one order before it is given up, s. */
	private const PATIENCE = 120.0;

	/**
	 * @param ?float $pause  seconds between two looks of a waiter that polls; null: the server keeps its waiters
	 */
	public function __construct(
		private readonly Process $leader,
		private readonly Server $server,
		public readonly int $count,
		private readonly ?float $pause = null,
	) {
	}

	/** Every waiter has its turn once. @param bool $ordered  they queue one after the other */
	public function drain(bool $ordered = true): Turns
	{
		$this->gather('wait', '', $ordered);

		return $this->go($this->count + 1);
	}

	/** All come again and again for that long. */
	public function churn(int $milliseconds): Turns
	{
		$this->gather('churn', " $milliseconds", true);

		return $this->go(null);
	}

	/** The leader takes the lock, then the waiters queue. @param string $order  "wait" or "churn", with its arguments */
	public function gather(string $order, string $rest = '', bool $ordered = true): void
	{
		if ($this->leader->ask('hold') !== 'holding') {
			throw new \RuntimeException('the leader does not get the lock');
		}
		if (!$ordered) {
			$this->leader->write("$order 0 $this->count$rest");
			$this->awaitBlocked($this->count);
			return;
		}
		for ($i = 0; $i < $this->count; $i++) {
			$this->leader->write("$order $i " . $i + 1 . $rest);
			if ($this->pause === null) {
				$this->awaitBlocked($i + 1);
			} else {
				// Spread over the pause: they would all look at the same moment otherwise.
				usleep(random_int(100, (int) ($this->pause * 2e6 / $this->count) + 200));
			}
		}
		if ($this->pause !== null) {
			usleep(random_int(0, (int) ($this->pause * 1e6)));
		}
	}

	/** The leader lets go. @param ?int $turns  how many reports end it; null: when every waiter has ended */
	public function go(?int $turns): Turns
	{
		$before = $this->server->counters();
		$this->leader->write('go');
		$reports = [];
		$ended = 0;
		$led = false;
		while ($turns === null ? $ended < $this->count || !$led : count($reports) < $turns) {
			$report = $this->report();
			if ($report === null) {
				$ended++;
				continue;
			}
			$led = $led || $report[0] === -1;
			$reports[] = $report;
		}

		return new Turns($reports, $before, $this->server->counters());
	}

	/** Lets one waiter wait, for whatever holds the lock. */
	public function sendOne(int $number): void
	{
		$this->leader->write("wait $number " . $number + 1);
	}

	/** What the next waiter reports; null: it has ended its churn. @return ?array{int, int, int, int} */
	public function report(): ?array
	{
		$fields = explode(' ', $this->leader->read(self::PATIENCE));

		return $fields[1] === 'end' ? null : array_map(intval(...), $fields);
	}

	/** Kills a waiter. It may take the system a moment. */
	public function kill(int $number): void
	{
		$pid = (int) $this->leader->ask("pid $number");
		if ($pid < 1 || !function_exists('posix_kill') || !posix_kill($pid, 9)) {
			throw new \RuntimeException('the waiter cannot be killed');
		}
	}

	public function awaitBlocked(int $count): void
	{
		$deadline = hrtime(true) + (int) (self::PATIENCE * 1e9);
		while ($this->server->blocked() !== $count) {
			if (hrtime(true) > $deadline) {
				throw new \RuntimeException("{$this->server->blocked()} waiters block instead of $count");
			}
			usleep($count > 1000 ? 20_000 : 100);
		}
	}
}
