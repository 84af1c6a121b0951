<?php
/**
 * Plays a story: each public method is a step, as a story has it. Throws Wrong where the oracle finds something.
 *
 * A step that makes no sense where it comes, say a call of an object that was never made, does nothing; so any part of a story
 * is a story.
 */
final class Play
{
	/* What takes longer than it may, s. */
	private const HANGS = 8.0;
	/* Nothing is left behind for longer than this, s, once all servers answer. */
	private const LEFT = 3.0;
	/* s. A server that is stopped costs not more. */
	private const LIMITS = ['timeout' => 0.3, 'read_write_timeout' => 0.4];

	/** @var array<string, Process> */
	private array $processes = [];
	private array $waiting = []; /* process => [id, call, arguments, held until, token] */
	private array $inside = []; /* process => ids of the callables under way */
	private array $down = []; /* server => true: stopped */
	private array $kept = []; /* tokens that may stay until their ttl is over */
	private array $orphaned = []; /* pids of killed processes whose tokens may stay */
	private array $children = []; /* pids of renewal children of processes that have ended */
	private int $pooled = 0; /* connections that may outlive their objects */
	private bool $parks = false; /* was there an answer that nobody waited for? Its connection is closed by a later call */
	private Oracle $oracle;

	/** @param list<Place> $places */
	public function __construct(private array $places, private string $lie = '')
	{
		$this->oracle = new Oracle(count($places), $this->look(...), $this->ask(...));
	}

	private function ask(Known $known): bool
	{
		$asked = !isset($this->waiting[$known->process]);
		$asked && $this->tell($known->process, 'look', '', []);
		return $asked;
	}

	private function look(): array
	{
		return array_map(fn (int $i) => isset($this->down[$i]) ? null : $this->places[$i]->look(), array_keys($this->places));
	}

	private function options(Known $known): array
	{
		$options = $known->options;
		$via = $options['via'];
		unset($options['via']);
		$connections = array_map(fn (Place $place) => $place->options($via) + self::LIMITS, $this->places);
		return $options + (count($connections) > 1 || isset($options['redlock']) ? ['servers' => $connections] : $connections[0]);
	}

	public function make(string $process, string $id, array $options): void
	{
		$this->await($process);
		if (!isset($this->oracle->known[$id])) {
			$known = new Known($id, $process, $options);
			$this->processes[$process] ??= new Process($this->lie);
			$outcome = $this->tell($process, 'make', $id, [$this->options($known)]);
			if (isset($outcome['threw'])) {
				throw new Wrong("new $id throws $outcome[threw]: $outcome[message]");
			}
			$this->oracle->known[$id] = $known;
			$this->pooled += ($options['persistent'] ?? false) ? 1 : 0;
		}
	}

	/** The object, if it and its process are there; waits for a call of it that is under way. */
	private function known(string $id): ?Known
	{
		$known = $this->oracle->known[$id] ?? null;
		if ($known) {
			$this->await($known->process);
		}
		return $this->oracle->known[$id] ?? null;
	}

	public function call(string $id, string $call, mixed ...$arguments): void
	{
		if (in_array($call, ['upgrade', 'downgrade'], true) && count($this->places) > 1) {
			return;
		}
		if (($known = $this->known($id)) && !($call === 'forceRelease' && $this->down) &&
			(!isset($known->options['redlock']) || in_array($call, ['acquire', 'release', 'keepAlive'], true))) {
			$this->begin($known, $call, $arguments);
			$this->await($known->process);
		}
	}

	/** The same, but other steps come meanwhile. */
	public function start(string $id, string $call, mixed ...$arguments): void
	{
		if ($known = $this->known($id)) {
			$this->oracle->unsettle($known->key(), INF);
			$this->begin($known, $call, $arguments);
		}
	}

	private function begin(Known $known, string $call, array $arguments): void
	{
		$this->oracle->before = $this->look();
		$this->parks = $this->parks || count($this->places) > 1 || ($arguments[0] ?? 0) > 0;
		$this->waiting[$known->process] = [$known, $call, $arguments, ['began' => hrtime(true), 'held_until' => $known->until(),
			'token' => $known->belief['token'] ?? null]];
		$this->processes[$known->process]->send($call, $known->id, $arguments);
	}

	/** The end of the call that a process is in, and what the oracle makes of it. */
	private function await(string $process): void
	{
		if (!isset($this->waiting[$process])) {
			return;
		}
		[$known, $call, $arguments, $then] = $this->waiting[$process];
		unset($this->waiting[$process]);
		$this->processes[$process]->signal(SIGCONT);
		$outcome = $this->answered($process, "$known->id->$call()") + $then;
		if ($outcome['left'] && !in_array($known->id, $this->inside[$process], true)) {
			/* What it was in has ended before the call. */
			$outcome['held_until'] = 0.0;
		}
		$this->oracle->judge($known, $call, $arguments, $outcome);
		if ($known->isBound() && !$known->held() || count($this->places) > 1) {
			$this->oracle->unsettle($known->key(), 1.0);
		}
		$this->oracle->judgeBeliefs();
	}

	private function answered(string $process, string $what): array
	{
		$outcome = $this->processes[$process]->answer(self::HANGS);
		if ($outcome === null) {
			throw new Wrong("$what does not come back", true);
		}
		foreach ($outcome['locks'] as $id => $belief) {
			$known = $this->oracle->known[$id] ?? null;
			if ($known) {
				$known->belief = $belief;
				if (!$belief['held'] && $known->depth > 0 && !$known->isReentrant()) {
					$known->depth = 0;
				}
				if ($belief['held'] && !$known->isBound() && !in_array($belief['token'], $this->kept, true)) {
					$this->kept[] = $belief['token'];
				}
			}
		}
		$this->inside[$process] = $outcome['inside'];
		return $outcome;
	}

	private function tell(string $process, string $what, string $id, array $arguments): array
	{
		$this->processes[$process]->send($what, $id, $arguments);
		return $this->answered($process, $what);
	}

	public function enter(string $id): void
	{
		$known = $this->known($id);
		if ($known && !isset($known->options['redlock']) && !$known->shares() && count($this->inside[$known->process] ?? []) < 4) {
			$this->call($id, 'enter');
		}
	}

	/** Ends the innermost callable of the process, by "return" or "throw". */
	public function leave(string $process, string $how): void
	{
		$this->await($process);
		$id = isset($this->processes[$process]) ? end($this->inside[$process]) : false;
		if ($id !== false) {
			$this->call($id, 'leave', $how);
		}
	}

	/** What an operator or another program does there. */
	public function foreign(int $server, string $key, string ...$command): void
	{
		if (isset($this->places[$server]) && !isset($this->down[$server])) {
			/* What changed nothing, DEL of nothing or SET NX of something, took nothing from anybody. */
			if ($this->places[$server]->redis(...$command)) {
				$this->oracle->rob($key, $server);
			}
			$this->oracle->judgeBeliefs();
		}
	}

	/** The server closes all connections, or the network does. */
	public function cut(int $server, string $how): void
	{
		if (isset($this->places[$server]) && !isset($this->down[$server])) {
			if ($this->waiting) {
				$this->oracle->excuse(1.0);
			}
			if ($how === 'late') {
				/* What is written before the end of the stream has come may have been done. */
				$this->unsettle(1.0);
			}
			$this->places[$server]->cut($how);
		}
	}

	public function forgetScripts(int $server): void
	{
		if (isset($this->places[$server]) && !isset($this->down[$server])) {
			$this->places[$server]->redis('SCRIPT', 'FLUSH');
		}
	}

	public function stop(int $server): void
	{
		if (isset($this->places[$server]) && !isset($this->down[$server])) {
			$this->down[$server] = true;
			$this->oracle->excuse(60.0);
			$this->parks = true;
			$this->places[$server]->server->freeze();
		}
	}

	public function go(int $server): void
	{
		if (isset($this->down[$server])) {
			$this->places[$server]->server->thaw();
			unset($this->down[$server]);
			$this->places[$server]->look();
			$this->oracle->excuse(1.0);
			$this->unsettle(1.0);
			$this->oracle->judgeBeliefs();
		}
	}

	private function unsettle(float $seconds): void
	{
		foreach ($this->oracle->known as $known) {
			$this->oracle->unsettle($known->key(), $seconds);
		}
	}

	/** All it had is gone. */
	public function restart(int $server): void
	{
		if (isset($this->places[$server]) && !isset($this->down[$server])) {
			$this->oracle->robAll($server);
			$this->places[$server]->restart();
			$this->oracle->excuse(2.0);
			$this->oracle->judgeBeliefs();
		}
	}

	public function pause(int $ms): void
	{
		usleep($ms * 1000);
		foreach (array_keys($this->processes) as $process) {
			if (!isset($this->waiting[$process])) {
				$this->tell($process, 'look', '', []);
			}
		}
		$this->oracle->judgeBeliefs();
	}

	public function unset(string $id): void
	{
		$known = $this->known($id);
		if ($known && !in_array($id, $this->inside[$known->process] ?? [], true)) {
			$this->oracle->unsettle($known->key());
			unset($this->oracle->known[$id]);
			$this->tell($known->process, 'unset', $id, []);
			$this->oracle->judgeBeliefs();
		}
	}

	/** Gives the lock of one object to a new one, by way of its token. */
	public function hand(string $id, string $process, string $to): void
	{
		$known = $this->known($id);
		if (!$known || isset($this->oracle->known[$to]) || !isset($this->processes[$process]) || isset($known->options['redlock']) ||
			in_array($id, $this->inside[$known->process] ?? [], true) || $known->isReentrant() || $known->shares()) {
			return;
		}
		$this->await($process);
		$outcome = $this->tell($known->process, 'detach', $id, []);
		if (is_string($outcome['value'] ?? null)) {
			$options = $known->options;
			unset($options['token']);
			$other = new Known($to, $process, $options);
			$this->oracle->known[$to] = $other;
			$other->robbed = $known->robbed;
			$other->kind = $known->kind;
			$other->unanswered = $known->unanswered;
			$this->kept[] = $outcome['value'];
			$this->tell($process, 'restore', $to, [$this->options($other), $outcome['value']]);
		}
		$this->oracle->judgeBeliefs();
	}

	public function fork(string $id): void
	{
		if ($this->known($id)) {
			$this->call($id, 'fork');
		}
	}

	/** SIGKILL, to the process or first to its renewal children, or both; or it ends orderly. */
	public function end(string $process, string $how): void
	{
		$there = $this->processes[$process] ?? null;
		if (!$there) {
			return;
		}
		if ($how === 'exit') {
			$this->await($process);
		}
		if ($how !== 'kill' && $how !== 'exit') {
			foreach ($there->children() as $child) {
				posix_kill($child, SIGKILL);
			}
		}
		if ($how !== 'child') {
			$this->forget($process, $how);
		}
	}

	private function forget(string $process, string $how): void
	{
		foreach ($this->oracle->known as $id => $known) {
			if ($known->process === $process) {
				$this->oracle->unsettle($known->key());
				if ($how === 'both' && $known->held()) {
					$this->kept[] = $known->belief['token'];
				}
				unset($this->oracle->known[$id]);
			}
		}
		if (isset($this->waiting[$process])) {
			$this->orphaned[] = $this->processes[$process]->pid;
		}
		$there = $this->processes[$process];
		array_push($this->children, ...$there->children());
		unset($this->processes[$process], $this->inside[$process], $this->waiting[$process]);
		$status = $there->end($how !== 'exit');
		if ($how === 'exit' && $status !== 0) {
			throw new Wrong("process $process " . ($status === false ? 'does not end' : "ended by status $status"));
		}
	}

	/** The end: everything is right again, and what should not be there goes. */
	public function over(): void
	{
		array_map($this->go(...), array_keys($this->down));
		foreach (array_keys($this->processes) as $process) {
			$this->await($process);
			while ($this->inside[$process] ?? []) {
				$this->leave($process, 'return');
			}
		}
		$this->awaitNothing('before the processes end', fn () => $this->keys($this->kept()));
		foreach ($this->oracle->known as $id => $known) {
			$this->unset($id);
		}
		$this->awaitNothing('after the objects', fn () => [...$this->keys($this->kept), ...$this->sockets()]);
		foreach (array_keys($this->processes) as $process) {
			$this->forget($process, 'exit');
		}
		$this->awaitNothing('after the processes', fn () => [...$this->keys($this->kept), ...$this->connections(),
			...array_map(fn ($pid) => "renewal child $pid", array_filter($this->children, is_running(...)))]);
	}

	/** Tokens that may be there while all are alive. */
	private function kept(): array
	{
		$held = array_filter($this->oracle->known, fn ($known) => $known->held());
		return [...$this->kept, ...array_map(fn ($known) => $known->belief['token'], $held)];
	}

	private function awaitNothing(string $when, Closure $left): void
	{
		/* What is to be done behind an answer that never came may be done by later calls. */
		$poke = function () use ($left) {
			foreach ($this->oracle->known as $id => $known) {
				if (!isset($known->options['redlock'])) {
					$this->tell($known->process, 'holder', $id, []);
				}
			}
			return $left() === [];
		};
		if ($left() !== [] && !comes_true($poke, self::LEFT)) {
			throw new Wrong("left $when: " . implode(', ', $left()));
		}
	}

	/** Keys of ours that hold what nobody should have any more. */
	private function keys(array $kept): array
	{
		$left = [];
		foreach ($this->look() as $server => $look) {
			foreach (array_merge([], ...array_map(fn ($key, $holders) => array_map(fn ($value) => [$key, (string) $value], array_keys($holders)),
				array_keys($look['keys']), $look['keys'])) as [$key, $value]) {
				if (preg_match('/^rlk1:[^:]*:(\d+):.*(?<!:done)$/', $value, $m) && !in_array($value, $kept, true) &&
					!in_array((int) $m[1], $this->orphaned, true)) {
					$left[] = "$key = $value at server $server";
				}
			}
		}
		return $left;
	}

	/** Of processes that have no objects any more. */
	private function sockets(): array
	{
		/* One to us, one to the renewal child. */
		$left = array_map(fn (Process $process) => max(0, $process->sockets() - 2), $this->processes);
		return array_sum($left) > $this->pooled && !$this->parks ? [array_sum($left) . " sockets, where $this->pooled may be"] : [];
	}

	private function connections(): array
	{
		$left = [];
		foreach ($this->places as $server => $place) {
			$clients = $place->clients();
			if ($clients > 0) {
				$left[] = "$clients connections to server $server";
			}
		}
		return $left;
	}

	/** Whatever became of it: nothing is left of the processes, and all servers are empty. */
	public function clear(): void
	{
		foreach ($this->processes as $process) {
			foreach ($process->children() as $child) {
				posix_kill($child, SIGKILL);
			}
			$process->end(true);
		}
		$this->processes = [];
		foreach ($this->places as $place) {
			$place->clear();
		}
	}
}
