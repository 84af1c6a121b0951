<?php
/** Thrown by pollers, signal handlers and callables. */
final class Told extends Exception
{
}

/** The same numbers for the same seed, whatever else happens meanwhile. */
final class Dice
{
	private int $thrown = 0;

	public function __construct(private string $seed)
	{
	}

	public function below(int $n): int
	{
		return hexdec(substr(md5("$this->seed " . ++$this->thrown), 0, 7)) % $n;
	}

	public function of(array $values): mixed
	{
		return array_values($values)[$this->below(count($values))];
	}
}

/**
 * A story of fibers that share locks, in a process of its own. The servers are mostly frozen, so that calls wait in the loop, which
 * resumes a fiber of its choice. Signal handlers and observers use the same locks, pollers throw, fibers and objects are dropped.
 */
final class FiberStory
{
	private const NAMES = ['fibers:1', 'fibers:2', 'fibers:3'];
	private const CALLS = ['acquire', 'acquire', 'acquire', 'acquire', 'keepAlive', 'keepAlive', 'release', 'release', 'release', 'isAcquired',
		'isHeld', 'holder', 'holders', 'forceRelease', 'upgrade', 'downgrade', 'detach', 'lock', 'lock', 'unlock', 'unlock', 'synchronized',
		'synchronized', 'execute', 'make', 'drop', 'drop', 'start', 'sleep', 'signal', 'beginRequest', 'endRequest',
		'poller', 'dump', 'thaw'];

	private Dice $loop, $aside;
	/** @var array<int, RedisLock|RedisLock\RedLock> */
	private array $locks = [];
	private array $waits = [], $fibers = [], $kinds = [], $forced = [], $given = [];
	private int $made = 0, $asides = 0, $depth = 0;
	/** Of each RedisLock: its `options`, how often it `holds` which name for sure, and how often something may have `ended` that. */
	private WeakMap $of;
	/** Of each RedLock, the arrays it gave. */
	private WeakMap $arrays;
	private bool $short, $forces, $frozen = false, $main;

	public function __construct(private int $seed, private array $servers)
	{
		[$this->loop, $this->aside, $this->of, $this->arrays] = [new Dice("$seed loop"), new Dice("$seed aside"), new WeakMap, new WeakMap];
	}

	private function say(string $text): void
	{
		echo str_repeat('  ', $this->depth), Fiber::getCurrent() ? spl_object_id(Fiber::getCurrent()) : 'main', ": $text\n";
	}

	/** Plays it, and ends the process. */
	public function play(Dice $dice): void
	{
		set_error_handler(function (int $level, string $text) {
			$expected = !(error_reporting() & $level) || preg_match('/could not be confirmed|Told|Cannot .* fiber/', $text);
			$expected || $this->say("WRONG: a warning: $text");
			return true;
		});
		[$this->forces, $this->short, $this->main] = [$dice->below(3) === 0, $dice->below(5) === 0, $dice->below(4) === 0];
		foreach (array_slice(self::NAMES, 0, 1 + $dice->below(3)) as $name) {
			$this->kinds[$name] = $dice->of([[], [], [], ['permits' => 2], ['shared' => true]]);
		}
		if ($dice->below(6) === 0) {
			$this->servers[0]->client()('HSET', $dice->of(array_keys($this->kinds)), 'no', 'lock');
		}
		pcntl_async_signals(true);
		pcntl_signal(SIGUSR1, fn () => $this->aside('handler'));
		$pest = $dice->below(4) === 0 ? self::pest($dice->below(20)) : 0;
		if ($dice->below(5) === 0) {
			RedisLock\observe(fn (string $event) => $this->aside("observer of $event"));
		}
		RedisLock::setPoller($this->poll(...), $this->main);
		for ($i = 2 + $dice->below(4); $i > 0; $i--) {
			$this->make($dice);
		}
		for ($i = 2 + $dice->below(4); $i > 0; $i--) {
			$this->guard(fn () => $this->start(new Dice("$this->seed fiber $i"), 3 + $dice->below(8)));
		}
		$end = $dice->of(['quiet', 'quiet', 'quiet', 'quiet', 'exit', 'amid', 'fatal']);
		for ($turns = $end === 'quiet' ? 300 : $dice->below(30); $this->waits !== [] && $turns > 0; $turns--) {
			$this->guard(fn () => $this->turn());
		}
		$this->say("the end: $end");
		$this->short = $this->short || $end !== 'quiet';
		if ($end === 'quiet' || $this->loop->below(2) === 0) {
			$this->freeze(false);
		}
		while ($end === 'quiet' && $this->waits !== []) {
			$this->guard(fn () => $this->turn(true));
		}
		pcntl_signal(SIGUSR1, SIG_IGN);
		if ($pest !== 0) {
			posix_kill($pest, SIGKILL);
			pcntl_waitpid($pest, $status);
		}
		if ($end === 'exit') {
			$fiber = new Fiber(fn () => exit(0));
			$fiber->start();
		} elseif ($end === 'fatal') {
			restore_error_handler();
			trigger_error('fatal by intent', E_USER_ERROR);
		} elseif ($end === 'quiet') {
			RedisLock\observe(null);
			$this->guard($this->check(...));
		}
		exit(0);
	}

	/** Sends signals, for as long as its parent lives. */
	private static function pest(int $ms): int
	{
		$parent = getmypid();
		if ($pid = pcntl_fork()) {
			return $pid;
		}
		while (posix_getppid() === $parent) {
			usleep(500 + $ms * 1000);
			posix_kill($parent, SIGUSR1);
		}
		posix_kill(getmypid(), SIGKILL);
	}

	/* --- the loop --- */

	private function freeze(bool $frozen): void
	{
		array_map(fn (Server $server) => $frozen ? $server->freeze() : $server->thaw(), $this->servers);
		$this->frozen = $frozen;
	}

	private function start(Dice $dice, int $steps): void
	{
		$this->fibers[] = $fiber = new Fiber(function () use ($dice, $steps) {
			while ($steps-- > 0) {
				$this->guard(fn () => $this->step($dice));
			}
		});
		$fiber->start();
	}

	public function poll(array $read, array $write, ?float $seconds): void
	{
		if ($this->loop->below(40) === 0) {
			throw new Told('by the poller');
		}
		$this->wait($read, $write, $seconds ?? 10);
	}

	private function wait(array $read, array $write, float $seconds): void
	{
		$this->waits[] = [Fiber::getCurrent(), $read, $write, now() + $seconds];
		if (Fiber::getCurrent() !== null) {
			Fiber::suspend();
			return;
		}
		for ($key = array_key_last($this->waits); isset($this->waits[$key]);) {
			$this->turn();
		}
	}

	/** Resumes one fiber, which need not be ready, unless it is $calm. */
	private function turn(bool $calm = false): void
	{
		$key = $this->loop->of(array_keys($this->waits));
		[$fiber, $read, $write, $until] = $this->waits[$key];
		$what = $calm ? 49 : $this->loop->below(48);
		if ($what === 0 && $fiber !== null) {
			$this->say('destroys ' . spl_object_id($fiber));
			unset($this->waits[$key]);
			$this->fibers = array_filter($this->fibers, fn (Fiber $other) => $other !== $fiber);
			return;
		}
		if ($what < 34) {
			$this->freeze($what >= 24);
		}
		if ($what % 6 !== 5) {
			$us = (int) (1e6 * max(0, min(0.005, $until - now())));
			$ready = $read || $write ? @stream_select($read, $write, $none, 0, $us) : usleep($us);
			if (!$ready && $until > now()) {
				return;
			}
		}
		if ($what < 12) {
			$this->freeze(true);
		}
		unset($this->waits[$key]);
		if ($fiber?->isSuspended()) {
			$what === 1 ? $fiber->throw(new Told('by the loop')) : $fiber->resume();
		}
	}

	/** What may be thrown, and what may not. */
	private function guard(callable $code): void
	{
		try {
			$code();
		} catch (Told | RedisLock\Exception | LogicException | FiberError $e) {
			$this->say(get_class($e) . ': ' . $e->getMessage());
			$expected = !$e instanceof RedisLock\LockLostException || $this->short || isset($this->forced[explode('"', $e->getMessage())[1]]);
			$expected || $this->say('WRONG: lost');
		} catch (Exception | Error $e) {
			$expected = $e instanceof ValueError && preg_match('/may be 0 only|must be given|both|cannot be/', $e->getMessage());
			$expected || $this->say("WRONG: $e");
		}
	}

	/* --- what they do --- */

	/** In signal handlers and observers. */
	private function aside(string $where): void
	{
		if ($this->asides++ > 30 || $this->depth > 4) {
			return;
		}
		$this->depth++;
		$this->say("in the $where");
		try {
			$this->guard(fn () => $this->step($this->aside));
		} finally {
			$this->depth--;
		}
		/* Between some instructions an exception of a signal handler makes PHP crash. */
		$amid = debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS, 3)[2]['class'] ?? '';
		if ($this->aside->below(4) === 0 && Fiber::getCurrent() !== null && str_starts_with($amid, 'Redis')) {
			throw new Told("by the $where");
		}
	}

	private function make(Dice $dice): void
	{
		$id = ++$this->made;
		$name = $dice->of(array_keys($this->kinds));
		$bound = $dice->below(2) === 0;
		$some = fn (int $of, array $options) => $dice->below($of) === 0 ? $options : [];
		$options = ($bound ? ['renew' => true] : []) + ['label' => $bound ? 'bound' : 'lease', 'read_timeout' => 0.1, 'timeout' => 0.1];
		$paths = array_map(fn (Server $server) => ['path' => $server->socket], $this->servers);
		if ($dice->below(8) === 0) {
			$this->locks[$id] = $lock = new RedisLock\RedLock($paths, 10, 2, $options);
			$this->arrays[$lock] = [];
			$this->say("makes $id, a RedLock, bound: " . (int) $bound);
			return;
		}
		$options += ['name' => $name, 'ttl' => $this->short ? 0.2 : $dice->of([60, 60, 600]), 'reentrant' => $dice->below(2) === 0,
			'wait' => $dice->of([0, 0.02, 0.2])] + $this->kinds[$name] + $some(6, ['fence' => true]) + $some(8, ['token' => "own:$id"]) +
			$some(10, ['hold_at_least' => 0.1]) + $some($bound ? 8 : 1000, ['linger' => 0.1]) + $some(10, ['on_lost' => 'flag']) +
			$some(8, ['servers' => $paths]);
		$options += isset($options['servers']) ? [] : $paths[0];
		$this->guard(fn () => $this->keep($id, new RedisLock($options), $options));
	}

	private function keep(int $id, RedisLock $lock, array $options): void
	{
		$this->locks[$id] = $lock;
		$this->of[$lock] = (object) ['options' => $options, 'holds' => [], 'ended' => 0];
		$this->say("makes $id: " . json_encode(['servers' => null, 'path' => null] + $options) . (isset($options['servers']) ? ' on several' : ''));
	}

	private function step(Dice $dice): void
	{
		$call = $dice->of(self::CALLS);
		$id = $this->locks ? $dice->of(array_keys($this->locks)) : 0;
		$lock = $this->locks[$id] ?? null;
		$aside = $dice === $this->aside;
		if ($dice->below(8) === 0 && !$this->frozen && !$aside) {
			$this->freeze(true);
		}
		$this->say("$id $call");
		$done = match ($call) {
			'make' => $this->make($dice),
			'thaw' => $aside || $this->freeze(false),
			'drop' => $this->drop($id),
			'start' => $aside || $this->made++ > 12 ? null : $this->start(new Dice("$this->seed fiber made $this->made"), 3),
			'sleep' => $aside || $this->depth > 0 ? null : $this->wait([], [], 0.003),
			'signal' => posix_kill(getmypid(), SIGUSR1),
			'beginRequest' => RedisLock\Worker::beginRequest(),
			'endRequest' => $this->endRequest(),
			'poller' => RedisLock::setPoller($this->poll(...), $this->main),
			'dump' => print_r($lock, true),
			default => $lock instanceof RedisLock ? $this->call($dice, $lock, $call) : ($lock ? $this->redlock($dice, $lock) : null),
		};
		$this->say("$id $call: " . (is_bool($done) ? var_export($done, true) : gettype($done)));
	}

	private function drop(int $id): void
	{
		if (count($this->locks) > 2) {
			unset($this->locks[$id]);
		}
	}

	private function endRequest(): void
	{
		array_map($this->end(...), self::NAMES);
		RedisLock\Worker::endRequest();
	}

	/** Nobody holds this name for sure any more. */
	private function end(string $name): void
	{
		foreach ($this->of as $of) {
			$of->holds[$name] = 0;
			$of->ended++;
		}
	}

	private function call(Dice $dice, RedisLock $lock, string $call): mixed
	{
		$of = $this->of[$lock];
		$name = $own = $of->options['name'];
		$other = $dice->of(array_keys($this->kinds));
		if (str_ends_with($call, 'lock') && $this->kinds[$other] === $this->kinds[$own]) {
			$name = $other;
		}
		$ended = $of->ended;
		$held = $of->holds[$name] ?? 0;
		if (in_array($call, ['release', 'unlock'], true)) {
			$of->holds[$name] = 0;
			$of->ended++;
		} elseif (in_array($call, ['forceRelease', 'detach', 'synchronized', 'execute'], true)) {
			$this->end($name);
		}
		switch ($call) {
			case 'acquire':
			case 'lock':
				$done = $call === 'acquire' ? $lock->acquire($dice->of([null, null, 0, 0.03, 1])) :
					$lock->lock($name, $dice->below(2), ['waitTime' => 0.02] + ($dice->below(3) ? [] : ['renew' => true]));
				if ($done && $ended === $of->ended) {
					$of->holds[$name] = $held + 1;
					if ($call === 'acquire' && $this->isSure($lock, $name) && !$lock->isHeld() && $ended === $of->ended) {
						$this->say('WRONG: acquired, and not held');
					}
				}
				return $done;
			case 'keepAlive':
			case 'isAcquired':
				$done = $call === 'isAcquired' ? $lock->isAcquired() : $lock->keepAlive($dice->of([null, 60, 600, 60, 600, 0]));
				if ($done === false && $held > 0 && $ended === $of->ended && $this->isSure($lock, $name)) {
					$this->say("WRONG: $call: false, of a lock that is held");
				}
				return $done;
			case 'release':
			case 'unlock':
				try {
					$done = $call === 'release' ? $lock->release() : $lock->unlock($name);
					$of->holds[$name] = $done ? max(0, $held - 1) : 0;
					if (!$done && $held > 0 && $ended + 1 === $of->ended && !isset($this->forced[$name]) && !$this->short) {
						$this->say("WRONG: $call: false, of a lock that was held");
					}
				} catch (LogicException $e) {
					$of->holds[$name] = $held;
					throw $e;
				}
				return $done;
			case 'forceRelease':
				if (!$this->forces) {
					return null;
				}
				$this->forced[$name] = true;
				return $lock->forceRelease($dice->below(3) ? null : $lock->getToken());
			case 'detach':
				$this->forced[$name] = true; /* for other objects that are in the lock */
				$token = $lock->detach();
				$this->given[] = $token;
				echo "given: $token\n";
				$options = array_diff_key($of->options, ['token' => 1]);
				$this->keep(++$this->made, RedisLock::restore($options, $name, $token), $options);
				return true;
			case 'synchronized':
			case 'execute':
				$code = function () use ($dice) {
					$this->depth++;
					try {
						for ($i = $dice->below(3); $i > 0 && $this->depth < 4; $i--) {
							$this->guard(fn () => $this->step($dice));
						}
						if ($dice->below(5) === 0) {
							throw new Told('under the lock');
						}
					} finally {
						$this->depth--;
					}
				};
				return $call === 'execute' ? SequenceTask::execute(['renew' => true] + array_diff_key($of->options, ['token' => 1]), $code) : $lock->synchronized($code);
			default:
				return $lock->$call();
		}
	}

	private function isSure(RedisLock $lock, string $name): bool
	{
		return ($this->of[$lock]->holds[$name] ?? 0) > 0 && !isset($this->forced[$name]) && !$this->short;
	}

	private function redlock(Dice $dice, RedisLock\RedLock $lock): mixed
	{
		$key = $dice->below(count($this->arrays[$lock]) + 1);
		$array = $this->arrays[$lock][$key] ?? null;
		if ($array === null) {
			return (bool) $this->arrays[$lock][] = $lock->lock($dice->of(array_keys($this->kinds)), $this->short ? 200 : 60000);
		}
		if ($dice->below(2) === 0) {
			return $array && $lock->extend($array, $dice->of([60000, 30000, null]));
		}
		return $lock->unlock($array);
	}

	/* --- what has to be so --- */

	/** Once all is quiet. */
	private function check(): void
	{
		foreach ($this->locks as $id => $lock) {
			if ($lock instanceof RedisLock\RedLock) {
				continue;
			}
			$of = $this->of[$lock];
			$own = $of->options['name'];
			if (!isset($this->forced[$own]) && $lock->isHeld()) {
				$has = count(array_filter($this->servers, fn (Server $server) => self::isAt($server->client(), $own, $lock->getToken())));
				if ($has < (isset($of->options['servers']) ? 2 : 1)) {
					$this->say("WRONG: $id says that it is held, and the server does not");
				}
			}
			foreach (array_filter($of->holds) as $name => $times) {
				for (; $times > 0 && $this->isSure($lock, $name); $times--) {
					if ($name === $own && !$lock->isHeld()) {
						$this->say("WRONG: $id does not say that it is held");
					}
					if (!($name === $own ? $lock->release() : $lock->unlock($name))) {
						$this->say("WRONG: $id, $name: false at the last release");
					}
				}
			}
		}
		unset($lock);
		[$this->locks, $this->fibers] = [[], []];
		gc_collect_cycles();
		if (!comes_true(fn () => Fibers::left($this->servers, $this->given) === [])) {
			$this->say('WRONG: without objects, left are ' . json_encode(Fibers::left($this->servers, $this->given)));
		}
	}

	private static function isAt(Client $redis, string $name, string $token): bool
	{
		$value = $redis('GET', $name);
		return $value === $token || (str_starts_with($value ?? '', '-WRONGTYPE') && $redis('ZSCORE', $name, $token) !== null);
	}
}
