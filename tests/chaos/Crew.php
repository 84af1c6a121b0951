<?php
/** The processes that enter critical sections: starts them, kills and stops them, and starts others in their place. */
final class Crew
{
	/** @var array<string, Php> by the name that the history knows */
	private array $workers = [];
	private array $kinds = [];
	private array $frozen = []; /* of workers: name => true */
	private int $started = 0;

	/** $plan is what all have in common; $options(bool $proxied) the connection. */
	public function __construct(private History $history, private array $plan, private Closure $options)
	{
	}

	/** One of 16 kinds. From 16 on, one of those that want but one of the names: 16 kinds each. */
	public function start(int $kind): void
	{
		$renew = (bool) ($kind & 1);
		$wait = (bool) ($kind & 2);
		$proxied = (bool) ($kind & 4);
		$short = (bool) ($kind & 8);
		$connection = ($this->options)($proxied);
		$options = $connection + ['ttl' => $short ? 1 : 3, 'renew' => $renew, 'timeout' => 0.3, 'read_write_timeout' => 0.5,
			'wait' => $wait ? 5 : 0];
		$id = 'w' . ++$this->started;
		$text = implode(',', [$renew ? 'process-bound' : 'lease', $wait ? 'waits' : 'tries', $proxied ? 'proxied' : 'direct',
			"ttl$options[ttl]"]);
		$name = intdiv($kind, 16) - 1;
		$names = $name < 0 ? $this->plan['names'] : [$this->plan['names'][$name]];
		$this->workers[$id] = new Php('require ' . var_export(__DIR__ . '/worker.php', true) . ';',
			[json_encode(['names' => $names, 'work' => 500 * (min($this->plan['rooms'][$names[0]] ?? 1, 16) - 1)] + $this->plan +
				['id' => $id, 'kind' => $text, 'seed' => mt_rand(), 'wait' => $wait, 'run' => $renew && $short, 'options' => $options])]);
		$this->kinds[$id] = $kind;
	}

	/** One of those that are not stopped. */
	public function pick(): ?string
	{
		$free = array_diff_key($this->workers, $this->frozen);
		return $free ? array_rand($free) : null;
	}

	/** Those that have stopped themselves. */
	public function stopped(): array
	{
		return array_keys(array_filter(array_diff_key($this->workers, $this->frozen), fn (Php $php) =>
			str_contains((string) @file_get_contents("/proc/$php->pid/stat", length: 64), ') T ')));
	}

	public function kill(string $id, bool $with_child): void
	{
		$children = $with_child ? $this->children($id) : [];
		$this->history->note('info', 'kill', whom: $id);
		/* The child first: it would otherwise release. */
		foreach ($children as $child) {
			posix_kill($child, SIGKILL);
		}
		$this->workers[$id]->signal(SIGKILL);
		$this->workers[$id]->end();
		$kind = $this->kinds[$id];
		unset($this->workers[$id], $this->kinds[$id]);
		$this->start($kind);
	}

	public function freeze(string $id): callable
	{
		$this->history->note('info', 'stop', whom: $id);
		$this->frozen[$id] = true;
		$php = $this->workers[$id];
		$php->signal(SIGSTOP);
		return function () use ($id, $php) {
			unset($this->frozen[$id]);
			$this->history->note('info', 'go', whom: $id);
			$php->signal(SIGCONT);
		};
	}

	/** To the renewal child, if there is one. */
	public function killChild(string $id): void
	{
		foreach ($this->children($id) as $child) {
			posix_kill($child, SIGKILL);
		}
	}

	public function freezeChild(string $id): callable
	{
		$children = $this->children($id);
		$signal = fn (int $signal) => array_map(fn (int $child) => posix_kill($child, $signal), $children);
		$signal(SIGSTOP);
		return fn () => $signal(SIGCONT);
	}

	private function children(string $id): array
	{
		$pid = $this->workers[$id]->pid;
		return array_map(intval(...), preg_split('/ /', (string) @file_get_contents("/proc/$pid/task/$pid/children"), -1,
			PREG_SPLIT_NO_EMPTY));
	}

	/** Those that ended before their time was over, or with something to say. They may see that it is before the driver does. */
	public function look(): int
	{
		foreach ($this->workers as $id => $php) {
			if (!is_running($php->pid)) {
				$over = hrtime(true) >= $this->plan['until'];
				$end = json_encode($php->end());
				$said = $php->rest();
				if (!$over || $end !== '{"exit":0}' || $said !== '') {
					$this->history->note('info', 'wrong', error: "$id ended: $end $said");
				}
				unset($this->workers[$id]);
				if (!$over) {
					$this->start($this->kinds[$id]);
				}
			}
		}
		return count($this->workers);
	}

	/** After the end: those that still run are wrong. */
	public function giveUp(): void
	{
		foreach ($this->workers as $id => $php) {
			$this->history->note('info', 'wrong', error: "$id does not end");
			$php->signal(SIGKILL);
		}
	}
}
