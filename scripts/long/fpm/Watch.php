<?php
/** The processes of one PHP-FPM and their renewal children, seen from outside. */
final class Watch
{
	/** Milliseconds from the end of a worker to that of its child. @var list<float> */
	public array $outlived = [];
	/** 0, 1, 2; control socket, pidfd, timer, connection. */
	public const CHILD_DESCRIPTORS = 7;
	/** Descriptors of workers and children, the most at any look. */
	public array $descriptors = ['worker' => 0, 'child' => 0];
	public int $zombies = 0;
	public int $listening = 0;
	/** The most children that a worker had. */
	public int $children = 0;
	private array $inodes;

	public function __construct(private Fpm $fpm)
	{
		preg_match_all('~^\S+(?: \S+){5} +(\d+) ' . preg_quote($fpm->dir, '~') . '/fpm$~m', file_get_contents('/proc/net/unix'), $m);
		$this->inodes = array_map(fn ($inode) => "socket:[$inode]", $m[1]);
	}

	/** @return list<int> */
	public function workers(): array
	{
		$children = explode(' ', trim((string) @file_get_contents("/proc/{$this->fpm->pid}/task/{$this->fpm->pid}/children")));
		return array_values(array_filter(array_map(intval(...), $children), fn ($pid) => $pid > 0 && is_running($pid)));
	}

	/** All idle: what do they have open, and does anything wait to be reaped? */
	public function look(): void
	{
		foreach ($this->workers() as $pid) {
			$children = renewal_children($pid);
			$this->children = max($this->children, count($children));
			$this->descriptors['worker'] = max($this->descriptors['worker'], count(self::open($pid)));
			$this->zombies += comes_true(fn () => self::ended($pid) === 0, 1) ? 0 : 1;
			foreach ($children as $child) {
				/* One that has just started has not closed yet what it has inherited. */
				comes_true(fn () => count(self::open($child)) <= self::CHILD_DESCRIPTORS, 1);
				$open = self::open($child);
				$this->descriptors['child'] = max($this->descriptors['child'], count($open));
				$this->listening += count(array_intersect($open, $this->inodes));
			}
		}
	}

	/** These workers are about to end, by whatever $end does: how long do their children stay? */
	public function until_gone(array $workers, callable $end): void
	{
		$left = $ended = [];
		foreach ($workers as $pid) {
			if ($child = renewal_child($pid)) {
				$left[$child] = $pid;
			}
		}
		$end();
		$limit = now() + 20;
		while ($left && now() < $limit) {
			foreach ($left as $child => $pid) {
				if (!isset($ended[$child]) && !is_running($pid)) {
					$ended[$child] = now();
				}
				if (isset($ended[$child]) && !is_running($child)) {
					$this->outlived[] = (now() - $ended[$child]) * 1000;
					unset($left[$child]);
				}
			}
			usleep(200);
		}
		foreach ($left as $child => $pid) {
			$this->outlived[] = INF;
		}
	}

	/** Processes other than this one that have the extension loaded. @return list<int> */
	public static function users(string $module): array
	{
		$users = [];
		foreach (glob('/proc/[0-9]*') as $dir) {
			if (basename($dir) != getmypid() && str_contains((string) @file_get_contents("$dir/maps"), $module)) {
				$users[] = (int) basename($dir);
			}
		}
		return $users;
	}

	private static function open(int $pid): array
	{
		return array_map(fn ($fd) => (string) @readlink($fd), glob("/proc/$pid/fd/*"));
	}

	private static function ended(int $pid): int
	{
		$ended = 0;
		foreach (explode(' ', trim((string) @file_get_contents("/proc/$pid/task/$pid/children"))) as $child) {
			$ended += preg_match('/^State:\s+[ZX]/m', (string) @file_get_contents("/proc/$child/status"));
		}
		return $ended;
	}
}
