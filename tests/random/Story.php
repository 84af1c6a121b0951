<?php
/** A list of steps (see Play), made up from a seed. */
final class Story
{
	/* Two keys, each by several splits into prefix and name, which is what takes locks apart that should not be. */
	private const NAMES = [['', 'P:a'], ['P:', 'a'], ['', 'P:a'], ['P:P:', 'a'], ['P:', 'P:a'], ['', 'b']];
	private const CALLS = ['acquire' => 30, 'release' => 25, 'isAcquired' => 5, 'keepAlive' => 8, 'forceRelease' => 4, 'holder' => 2,
		'holders' => 3];
	/* The same of a lock that several may hold. */
	private const MORE_CALLS = self::CALLS + ['upgrade' => 40, 'downgrade' => 15];

	private Random\Randomizer $dice;
	private array $steps = [];
	private array $ids = []; /* id => [process, key] */
	private array $kinds = []; /* key => "plain", "permits", "shared" */
	private string $last = ''; /* id: what is interesting happens to one lock in a row */
	private bool $reentrant;
	private array $processes;
	private array $via;

	private function __construct(int $seed, private int $servers)
	{
		$this->dice = new Random\Randomizer(new Random\Engine\Mt19937($seed));
		$this->reentrant = $this->chance(35);
		$this->via = $this->one([['unix'], ['tcp'], ['proxy'], ['unix', 'tcp', 'proxy']]);
		$this->processes = $this->one([['p'], ['p'], ['p', 'p', 'q']]);
	}

	/** [how many servers, steps]. */
	public static function fromSeed(int $seed): array
	{
		$dice = new Random\Randomizer(new Random\Engine\Mt19937($seed));
		$servers = $dice->getInt(1, 4) === 1 ? 3 : 1;
		return [$servers, (new self($dice->nextInt(), $servers))->make()];
	}

	/** What runs it: PHP. */
	public static function code(int $servers, array $steps): string
	{
		$code = "<?php\nreturn [$servers, function (Play \$play) {\n";
		foreach ($steps as [$step, $arguments]) {
			$code .= "\t\$play->$step(" . implode(', ', array_map(self::literal(...), $arguments)) . ");\n";
		}
		return $code . "}];\n";
	}

	private static function literal(mixed $value): string
	{
		if (!is_array($value)) {
			return var_export($value, true);
		}
		$parts = [];
		foreach ($value as $key => $one) {
			$parts[] = var_export($key, true) . ' => ' . self::literal($one);
		}
		return '[' . implode(', ', $parts) . ']';
	}

	private function one(array $of): mixed
	{
		return $of[$this->dice->getInt(0, count($of) - 1)];
	}

	private function chance(int $percent): bool
	{
		return $this->dice->getInt(1, 100) <= $percent;
	}

	/** A key of the array, as often as its value says. */
	private function weighted(array $weights): string
	{
		$left = $this->dice->getInt(1, array_sum($weights));
		foreach ($weights as $what => $weight) {
			if (($left -= $weight) <= 0) {
				return $what;
			}
		}
	}

	private function step(string $what, mixed ...$arguments): void
	{
		$this->steps[] = [$what, $arguments];
	}

	private function make(): array
	{
		foreach (range(1, $this->dice->getInt(2, 4)) as $i) {
			$this->object($i);
		}
		for ($length = $this->dice->getInt(6, 24); $length > 0; $length--) {
			$what = $this->weighted(['call' => 50, 'start' => 6, 'enter' => 6, 'leave' => 6, 'foreign' => 9, 'cut' => 7,
				'stop' => 3, 'restart' => 1, 'forgetScripts' => 2, 'pause' => 6, 'unset' => 3, 'hand' => 3, 'fork' => 2,
				'end' => 2, 'object' => 3]);
			$this->$what();
		}
		return $this->steps;
	}

	private function object(int $i = 0): void
	{
		[$prefix, $name] = $this->chance(60) ? $this->one(array_slice(self::NAMES, 0, 2)) : $this->one(self::NAMES);
		$options = ['prefix' => $prefix, 'name' => $name, 'ttl' => $this->one([30, 30, 30, 30, 1.5, 0.4]),
			'via' => $this->one($this->via)];
		$id = chr(ord('a') + count($this->ids));
		$kind = $this->kinds[$prefix . $name] ??= $this->servers > 1 ? 'plain' : $this->one(['plain', 'plain', 'permits', 'shared']);
		if ($kind !== 'plain' && $this->chance(75)) {
			$options += $kind === 'shared' ? ['shared' => true] : ['permits' => $this->one([2, 2, 3])] + $this->one([[], [], ['weight' => 2]]);
			$options += $this->one([[], ['renew' => true, 'interval' => 0.1], ['renew' => true, 'on_lost' => 'flag', 'interval' => 0.1]]);
			$options += $this->one([[], [], ['persistent' => true], ['min_replicas' => 1, 'replica_timeout' => 0.3]]);
			if (isset($options['min_replicas'])) {
				$options['ttl'] = 30;
			}
			$options += $this->chance(6) ? ['hold_at_least' => 0.3] : [];
		} elseif ($this->servers > 1 && $this->chance(25)) {
			$options += ['redlock' => true];
		} else {
			$options += $this->one([[], [], ['renew' => true, 'interval' => 0.1], ['renew' => true, 'interval' => 0.1],
				['renew' => true, 'on_lost' => 'flag', 'interval' => 0.1]]);
			$options += $this->chance($this->reentrant ? 85 : 5) ? ['reentrant' => true] : [];
			$options += $this->servers === 1 ? $this->one([[], [], [], ['fence' => true], ['persistent' => true],
				['persistent' => true], ['min_replicas' => 1, 'replica_timeout' => 0.3]]) : [];
			if (isset($options['min_replicas'])) {
				$options['ttl'] = 30; /* more than twice their time */
			}
			/* Of all objects for a key: a job that is run twice. The renewal child would extend the lock of another one. */
			$shared = !isset($options['renew']) && !isset($options['reentrant']) && $this->chance(30);
			$given = $shared || $this->chance(8) ? ['token' => $shared ? "shared $prefix$name" : "token of $id"] : [];
			$options += $this->servers === 1 ? $given : [];
			$options += $this->chance(6) && !isset($options['token']) ? ['hold_at_least' => 0.3] : [];
		}
		$process = $this->one($this->processes);
		$this->ids[$id] = [$process, $prefix . $name];
		$this->step('make', $process, $id, $options);
	}

	private function id(): string
	{
		return $this->last = $this->last !== '' && $this->chance(50) ? $this->last : $this->one(array_keys($this->ids));
	}

	private function call(): void
	{
		$id = $this->id();
		$call = $this->weighted($this->kinds[$this->ids[$id][1]] === 'shared' ? self::MORE_CALLS : self::CALLS);
		$this->step('call', $id, $call, ...$this->arguments($call));
	}

	private function arguments(string $call): array
	{
		return match ($call) {
			'acquire' => [$this->chance(85) ? 0.0 : 0.2],
			'keepAlive' => $this->chance(70) ? [] : [$this->one([0.5, 5.0, 60.0])],
			default => [],
		};
	}

	private function start(): void
	{
		$id = $this->id();
		$this->step('start', $id, 'acquire', $this->one([0.3, 0.6, 1.2]));
	}

	private function enter(): void
	{
		$this->step('enter', $this->id());
	}

	private function leave(): void
	{
		$this->step('leave', $this->one(['p', 'q']), $this->one(['return', 'return', 'throw']));
	}

	private function foreign(): void
	{
		$key = $this->ids[$this->id()][1];
		$command = $this->one([['DEL', $key], ['SET', $key, 'foreign'], ['SET', $key, 'foreign', 'NX', 'PX', '300'], ['DEL', $key]]);
		foreach (range(0, $this->servers - 1) as $server) {
			if ($this->servers === 1 || $this->chance(60)) {
				$this->step('foreign', $server, $key, ...$command);
			}
		}
		if ($this->chance(25)) {
			$this->cut();
		}
	}

	private function server(): int
	{
		return $this->dice->getInt(0, $this->servers - 1);
	}

	private function cut(): void
	{
		$this->step('cut', $this->server(), $this->one(['kill', 'late', 'reset']));
	}

	/** Mostly for the time of a call. */
	private function stop(): void
	{
		$server = $this->server();
		if ($this->chance(30)) {
			$this->step('forgetScripts', $server);
		}
		$key = $this->ids[$this->last ?: $this->id()][1];
		foreach ($this->servers > 1 && $this->chance(50) ? array_diff(range(0, $this->servers - 1), [$server]) : [] as $other) {
			$this->step('foreign', $other, $key, 'SET', $key, 'foreign', 'NX');
		}
		$this->step('stop', $server);
		$this->call();
		if ($this->chance(80)) {
			$this->step('go', $server);
		}
	}

	private function restart(): void
	{
		$this->step('restart', $this->server());
	}

	private function forgetScripts(): void
	{
		$this->step('forgetScripts', $this->server());
	}

	private function pause(): void
	{
		$this->step('pause', $this->one([1, 20, 150, 300]));
	}

	private function unset(): void
	{
		$this->step('unset', $this->id());
	}

	private function hand(): void
	{
		$from = $this->id();
		$id = chr(ord('a') + count($this->ids));
		$process = $this->one(['p', 'q']);
		$this->ids[$id] = [$process, $this->ids[$from][1]];
		$this->step('hand', $from, $process, $id);
	}

	private function fork(): void
	{
		$this->step('fork', $this->id());
	}

	private function end(): void
	{
		$this->step('end', $this->one(['p', 'q']), $this->one(['kill', 'exit', 'child', 'both']));
	}
}
