<?php
/** What a process that takes locks costs, seen from outside and written down as a table. */
final class Watch
{
	private array $samples = [];

	public function __construct(private int $pid, private Client $redis)
	{
		echo self::row(['at', 'zombies', 'fds', 'kB', 'child fds', 'child kB', 'connections']);
	}

	/** Takes a sample; of many, every tenth is printed. To be called while a lock is held. */
	public function look(int $at): void
	{
		/* The child connects, and gets its name, a moment after the lock. */
		wait_until(fn () => $this->connections() >= 2 && self::sockets($child = renewal_child($this->pid)) === 2 &&
			@file_get_contents("/proc/$child/comm") === "redislock:renew\n", 5);
		$child = renewal_child($this->pid);
		$sample = [
			'at' => $at,
			'zombies' => $this->zombies(),
			'parent fds' => self::descriptors($this->pid),
			'parent kB' => self::resident($this->pid),
			'child fds' => self::descriptors($child),
			'child kB' => self::resident($child),
			'connections' => $this->connections(),
		];
		if (count($this->samples) % 10 === 0) {
			echo self::row($sample);
		}
		$this->samples[] = $sample;
	}

	/** Children that ended and stay: one that is only waiting for its turn to be collected does not count. */
	public function zombies(): int
	{
		wait_until(fn () => $this->ended() === 0, 1);
		return $this->ended();
	}

	public function most(string $what): int
	{
		return max([0, ...array_column($this->samples, $what)]);
	}

	/** The highest value between warm-up (a fifth) and the middle, and from there on. */
	public function growth(string $what): array
	{
		$values = array_column($this->samples, $what);
		$middle = intdiv(count($values) + 1, 2);
		$warm = intdiv(count($values), 5);
		return [max([0, ...array_slice($values, $warm, $middle - $warm)]), max([0, ...array_slice($values, $middle)])];
	}

	private function ended(): int
	{
		$ended = 0;
		foreach (explode(' ', trim((string) @file_get_contents("/proc/$this->pid/task/$this->pid/children"))) as $child) {
			$ended += preg_match('/^State:\s+[ZX]/m', (string) @file_get_contents("/proc/$child/status"));
		}
		return $ended;
	}

	private function connections(): int
	{
		return substr_count(($this->redis)('CLIENT', 'LIST'), ' name=soak ');
	}

	private static function descriptors(int $pid): int
	{
		return count(glob("/proc/$pid/fd/*"));
	}

	private static function sockets(int $pid): int
	{
		return count(array_filter(glob("/proc/$pid/fd/*"), fn ($fd) => str_starts_with((string) @readlink($fd), 'socket:')));
	}

	private static function resident(int $pid): int
	{
		return preg_match('/^VmRSS:\s+(\d+)/m', (string) @file_get_contents("/proc/$pid/status"), $m) ? (int) $m[1] : 0;
	}

	private static function row(array $cells): string
	{
		return vsprintf("%8s %8s %6s %8s %10s %9s %12s\n", array_values($cells));
	}
}
