<?php
/**
 * What a history says, line by line; docs/internals/histories.md has the form.
 *
 * What a process says about its validity is taken by its word, in the shortest form: from the moment it says that it has the lock
 * to the moment before it releases, but no longer than the validity it last knew of, or than it lived. Times are in us.
 */
abstract class Reading
{
	/* Those who came so much later come later. */
	protected const APART = 60_000;

	private array $lining = []; /* who => the wait it is in */
	/** @var array<string, true> who was killed */
	protected array $killed = [];
	protected array $waits = []; /* ['line', 'who', 'name', 'from', 'to', 'stopped', 'passed', 'newcomer'] in the order of being over */
	private array $releases = []; /* name => ['who', 'from', 'to'], the last one */
	protected array $names = []; /* name => 'held': packed claims, 'written': [store => value => times], 'unknown': store => writes, 'highest': [store => fence] */
	private array $asked = []; /* who => the operation that it began last */
	private array $open = []; /* who => the section it is in */
	protected array $kinds = []; /* who => kind */
	protected array $sections = []; /* kind => number */
	protected array $faults = []; /* [at, text, until] */
	protected array $rooms = []; /* name => Room */
	protected array $where = []; /* who => the name it entered or waited for last */
	protected array $unclear = []; /* [name, at]: somebody's hold ended by trouble */
	protected array $excuses = []; /* [from, to, name or null for all] */
	protected array $counts = ['refused' => 0, 'overran' => 0, 'lost' => 0, 'killed' => 0, 'trouble' => 0, 'warned' => 0];
	protected array $wrong = [];
	protected array $left = [];
	protected array $denied = [];
	protected array $disorder = [];
	protected array $troubles = [];
	protected ?array $begin = null;
	protected ?int $end = null;

	public function __construct(string $file)
	{
		foreach (new SplFileObject($file) as $i => $line) {
			if ($line !== '') {
				$event = json_decode($line, true);
				if ($this->begin === null && (!is_array($event) || ($event['f'] ?? '') !== 'begin' || $event['version'] !== 1)) {
					fwrite(STDERR, "$file is no history of version 1, which docs/internals/histories.md describes\n");
					exit(2);
				}
				if (!is_array($event)) {
					$this->wrong[] = 'no JSON in line ' . ($i + 1);
					continue;
				}
				$this->take(['line' => $i + 1] + $event + ['until' => 0, 'need' => 1, 'fence' => 0, 'store' => '']);
			}
		}
		foreach ($this->open as $who => $section) {
			$this->close($who, $section['killed'] ?? PHP_INT_MAX);
		}
	}

	private function take(array $e): void
	{
		['time' => $at, 'process' => $who, 'type' => $type, 'f' => $what] = $e;
		if (isset($e['error']) && $what !== 'wrong' && $what !== 'warned') {
			$this->trouble($at, $who, $e['error']);
		}
		$asked = $this->asked[$who] ?? $e;
		if ($type === 'invoke') {
			$this->asked[$who] = $e;
		}
		/* The server said "not ours". */
		if (("$type $what" === 'fail release' || isset($e['taken'])) && $at < ($this->open[$who]['until'] ?? $asked['until'])) {
			$this->denied[] = [$at, $this->where[$who] ?? '', "$who, line $e[line]"];
		}
		match ("$type $what") {
			'invoke acquire' => $this->asks($e),
			'ok acquire', 'ok upgrade', 'ok downgrade' => $this->enter($e, $asked),
			'fail acquire', 'info acquire' => $this->room($who)?->stopsWaiting($who, $at),
			'invoke extend', 'ok extend', 'fail extend', 'info extend' => $this->extends($e),
			'invoke release', 'invoke upgrade', 'invoke downgrade' => $this->leave($e),
			'invoke write' => $this->writes($e),
			'ok write', 'fail write', 'info write' => $this->wrote($e, $asked),
			'info lost' => $this->lost($e),
			'info start' => $this->kinds[$who] = $e['kind'],
			'info begin' => $this->begins($e),
			'info kill' => $this->kill($at, $e['whom']),
			'info stop' => $this->stop($at, $e['whom']),
			'info fault' => $this->faults[] = [$at, $e['what'], $at],
			'info healed' => $this->healed($at, $e['what']),
			'info excuse' => $this->excuses[] = [$at, $e['until'], $e['name'] ?? null],
			'info warned' => $this->counts['warned']++,
			'info wrong' => $this->wrong[] = "$who, line $e[line]: $e[error]",
			'info left' => $this->left[] = $e['what'],
			'info end' => $this->ends($at),
			'ok read' => $this->names[$e['name']]['count'][$e['store']] = $e['value'],
			default => null, /* what needs no judgement */
		};
	}

	private function begins(array $e): void
	{
		$this->begin ??= $e;
		foreach ($e['rooms'] as $name => $size) {
			$this->rooms[$name] = new Room($size);
		}
	}

	private function room(string $who): ?Room
	{
		return $this->rooms[$this->where[$who] ?? ''] ?? null;
	}

	private function asks(array $e): void
	{
		$this->close($e['process'], $e['time']);
		$this->where[$e['process']] = $e['name'];
		if (!($e['waits'] ?? false)) {
			return;
		}
		$this->room($e['process'])?->waits($e['process'], $e['time'], $e['line'], $e['need']);
		if ($this->begin['ordered']) {
			$this->lines($e['line'], $e['time'], $e['process'], $e['name']);
		}
	}

	private function trouble(int $at, string $who, string $text): void
	{
		$this->counts['trouble']++;
		$this->room($who)?->stopsWaiting($who, $at);
		$this->unclear[] = [$this->where[$who] ?? '', $at];
		$kind = preg_replace('/ \(.*|lock "[^"]*": /', '', $text);
		$this->troubles[$kind] = ($this->troubles[$kind] ?? 0) + 1;
	}

	private function enter(array $e, array $asked): void
	{
		['time' => $at, 'process' => $who] = $e;
		/* Another fiber, or what is done with a lock that was left, has no name of its own. */
		$name = $asked['name'] ?? $this->where[$who];
		$this->open[$who] = ['line' => $e['line'], 'at' => $at, 'name' => $name, 'until' => $e['until'], 'fence' => $e['fence'],
			'need' => $asked['need'], 'wrote' => false];
		$this->room($who)?->enters($who, $at, $asked['need']);
		if (isset($this->lining[$who])) {
			$wait = ['late' => $e['late'] ?? 0] + $this->lining[$who];
			unset($this->lining[$who]);
			$this->waits[] = $wait + ['to' => $at, 'newcomer' => $this->isNewcomer($wait)];
		}
		if (isset($this->killed[self::processOf($who)])) {
			$this->dies($who, $at);
		}
		$kind = $this->kinds[$who] ?? 'of no kind';
		$this->sections[$kind] = ($this->sections[$kind] ?? 0) + 1;
	}

	private function lines(int $line, int $at, string $who, string $name): void
	{
		$this->lining[$who] = ['line' => $line, 'who' => $who, 'name' => $name, 'from' => $at, 'stopped' => false, 'passed' => false];
		foreach ($this->releases as &$release) {
			$release['to'] = $release['who'] === $who ? min($release['to'], $at) : $release['to'];
		}
	}

	/**
	 * Has it come in the moment of the release behind which it enters? The server may then have read its SET before that of
	 * the first in line, who had been woken, and goes to the end.
	 */
	private function isNewcomer(array $wait): bool
	{
		$name = $wait['name'];
		$release = $this->releases[$name] ?? null;
		unset($this->releases[$name]);
		$before = array_filter($this->lining,
			fn ($other) => $other['name'] === $name && !$other['passed'] && $other['from'] < $wait['from'] - self::APART);
		if ($before === [] || $release === null || $wait['from'] < $release['from'] - self::APART || $wait['from'] >= $release['to']) {
			return false;
		}
		$since = array_map(fn ($other) => $other['from'], $before);
		$this->lining[array_search(min($since), $since, true)]['passed'] = true;
		return true;
	}

	/** Whoever stands still when its turn comes loses its place. */
	private function stop(int $at, string $who): void
	{
		$this->room($who)?->stopsWaiting($who, $at);
		if (isset($this->lining[$who])) {
			$this->lining[$who]['stopped'] = true;
		}
	}

	/** The last of that name; earlier ones have been healed. */
	private function healed(int $at, string $text): void
	{
		for ($i = count($this->faults) - 1; $i >= 0; $i--) {
			if ($this->faults[$i][1] === $text) {
				$this->faults[$i][2] = $at;
				return;
			}
		}
	}

	private function ends(int $at): void
	{
		$this->end = $at;
		foreach ($this->rooms as $room) {
			$room->ends($at);
		}
	}

	/** It relies on the lock no more, or no longer than that. */
	private function leave(array $e): void
	{
		['time' => $at, 'process' => $who, 'until' => $until] = $e;
		$section = &$this->open[$who];
		if ($section === null) {
			return;
		}
		$this->releases[$section['name']] = ['who' => $who, 'from' => $at, 'to' => PHP_INT_MAX];
		if ($until > 0) {
			/* Valid to the last: so it was all the time, however often it was renewed. */
			$section['until'] = $until;
			if (isset($section['refused'])) {
				$this->denied[] = [$at, $section['name'], "line $section[line]: a fence was refused"];
			}
		} elseif ($section['wrote'] && $section['fence'] === 0) {
			$this->counts['overran']++;
			$this->names[$section['name']]['overran'] = true;
		}
		$this->close($who, $at);
	}

	private function lost(array $e): void
	{
		$this->counts['lost']++;
		$this->close($e['process'], $e['time']);
	}

	/** While an extension is under way, and from its answer on, it relies on what the line says. */
	private function extends(array $e): void
	{
		$section = &$this->open[$e['process']];
		if ($section !== null) {
			$this->hold($section, $e['time']);
			['time' => $section['at'], 'until' => $section['until']] = $e;
			$section['fence'] = 0; /* which has been seen */
		}
	}

	private function writes(array $e): void
	{
		$unknown = &$this->names[$e['name']]['unknown'][$e['store']];
		$unknown = ($unknown ?? 0) + 1;
		$this->asked[$e['process']]['after'] = $this->names[$e['name']]['highest'][$e['store']] ?? 0;
	}

	private function wrote(array $e, array $asked): void
	{
		if ($e['type'] === 'info') {
			return;
		}
		$who = $e['process'];
		['name' => $name, 'store' => $store, 'fence' => $fence, 'after' => $after] = $asked;
		$this->names[$name]['unknown'][$store]--;
		if ($e['type'] === 'fail') {
			$this->counts['refused']++;
			if (isset($this->open[$who])) {
				$this->open[$who]['refused'] = true;
			}
			return;
		}
		if (isset($this->open[$who])) {
			$this->open[$who]['wrote'] = true;
		}
		$times = &$this->names[$name]['written'][$store][$asked['value']];
		$times = ($times ?? 0) + 1;
		if ($fence > 0) {
			if ($fence < $after) {
				$this->disorder[] = "$who, line $e[line]: $fence after $after";
			}
			$this->names[$name]['highest'][$store] = max($fence, $this->names[$name]['highest'][$store] ?? 0);
		}
	}

	/** w1.1, w1.2, ... are of w1. */
	private static function processOf(string $who): string
	{
		return substr($who, 0, strrpos($who, '.') ?: null);
	}

	private function fibersOf(string $process): array
	{
		return array_filter(array_keys($this->where), fn ($who) => $who === $process || self::processOf($who) === $process);
	}

	private function kill(int $at, string $who): void
	{
		$this->killed[$who] = true;
		foreach ($this->fibersOf($who) as $fiber) {
			unset($this->lining[$fiber]);
			$this->room($fiber)?->stopsWaiting($fiber, $at);
			/* It may yet leave, or enter another section, before the signal comes. */
			if (isset($this->open[$fiber])) {
				$this->dies($fiber, $at);
			}
		}
	}

	private function dies(string $who, int $at): void
	{
		$this->room($who)?->leaves($who, $at);
		$this->open[$who]['killed'] = $at;
		$this->counts['killed']++;
	}

	private function close(string $who, int $at): void
	{
		$this->room($who)?->leaves($who, $at);
		if (isset($this->open[$who])) {
			$this->hold($this->open[$who], $at);
		}
		unset($this->open[$who]);
	}

	/** It has relied on the lock so far. */
	private function hold(array $section, int $at): void
	{
		$from = $section['at'];
		$to = max($from, min($at, $section['until'], $section['killed'] ?? PHP_INT_MAX));
		/* Packed, since there are many; as strings they sort like the numbers. */
		$this->names[$section['name']]['held'][] = pack('J2Nqn', $from, $to, $section['line'], $section['fence'], $section['need']);
	}
}
