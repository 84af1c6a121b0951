<?php
/**
 * Judges a history (class History), and nothing else: it can be done again at any time.
 *
 * What a process says about its validity is taken by its word, in the shortest form: from the moment acquire() had
 * returned to the moment before release() was called, if it was valid then; else to the end of the validity it last
 * knew of, or to its death, or to its leaving.
 */
final class Check
{
	/* The ttl, 3 s, of one that is killed, with its child or cut off; a provisional ttl each of two waiters that froze or vanished
	   meanwhile, 2 s; an outage, 1.5 s; and some room for a busy machine. */
	private const STALL = 10.0;
	/* The same, and a failover, 4 s, the next of which may follow at once. */
	private const STALL_OF_FAILOVER = 20.0;
	/* After a failover began: the failover, 4 s, and what a holder has not been told by then, the ttl, 3 s. */
	private const LOSS = 7.0;
	/* After a sentinel named another master: what a holder has not been told by then, the ttl, 3 s. */
	private const LOSS_OF_SWITCH = 3.0;

	/* Those who came so much later, ns, come later. */
	private const APART = 60_000_000;
	/* For so long, ns, a place in the queue is kept. */
	private const KEPT = 60_000_000_000;
	/* After something was done, ns, newcomers may find the lock free before those who wait do: a provisional ttl, 2 s, and a look, 1 s. */
	private const DISORDER = 4_000_000_000;
	/* Of so many waits one may be a newcomer's that came in the moment of a release, and was faster than who was woken. */
	private const NEWCOMERS = 50;
	/* In relation to one each: as many turns others may have while somebody waits, and a turn more or less. */
	private const FAIR = 1.3;
	/* For so long, ns, a room may stand idle while somebody waits and nothing is done: a provisional ttl, 2 s, and a look, 1 s. */
	private const IDLE = 3_000_000_000;
	/* The ttl, ns: so long room is taken by one who left without saying so. */
	private const TTL = 3_000_000_000;

	private array $lining = []; /* who => the wait it is in */
	/** @var array<string, true> who was killed */
	private array $killed = [];
	private array $waits = []; /* ['line', 'who', 'name', 'from', 'to', 'stopped', 'passed', 'newcomer'] in the order of being over */
	private array $releases = []; /* name => ['who', 'from', 'to'], the last one */
	private array $names = []; /* name => 'room': how many may be inside, 'held': packed claims, 'written': [store => value => times], 'unknown': store => sections */
	private array $open = []; /* who => the section it is in */
	private array $kinds = []; /* who => kind */
	private array $sections = []; /* kind => number */
	private array $faults = []; /* [at, text, until] */
	private array $rooms = []; /* name => Room */
	private array $where = []; /* who => the name it entered or waited for last */
	private array $unclear = []; /* [name, at]: somebody's hold ended by trouble */
	private array $failovers = []; /* at */
	private array $switches = []; /* at */
	private array $counts = ['refused' => 0, 'overran' => 0, 'lost' => 0, 'killed' => 0, 'trouble' => 0, 'warned' => 0];
	private array $wrong = [];
	private array $left = [];
	private array $denied = [];
	private array $troubles = [];
	private ?int $begin = null;
	private ?int $end = null;
	private string $title = '';

	private int $passed = 0;
	private int $failed = 0;

	public function __construct(string $file)
	{
		foreach (new SplFileObject($file) as $i => $line) {
			if ($line !== '') {
				$this->take($i + 1, ...explode(' ', rtrim($line, "\n"), 4) + [3 => '']);
			}
		}
		foreach ($this->open as $section) {
			$this->close($section, $section['killed'] ?? PHP_INT_MAX, ['-', '-']);
		}
	}

	private function take(int $line, string $at, string $who, string $what, string $text): void
	{
		$at = (int) $at;
		$words = explode(' ', $text);
		match ($what) {
			'begin' => [$this->begin = $at, $this->title = $text],
			'worker' => $this->kinds[$who] = $words[0],
			'enter' => $this->enter($line, $at, $who, ...$words),
			'leave' => $this->leave($at, $who, ...$words),
			'lost' => $this->close($this->leaves($who, $at), $at, $words, 'lost'),
			'room' => $this->rooms[$words[0]] = new Room((int) $words[1]),
			'wants' => $this->wants($line, $at, $who, ...$words),
			'without' => $this->room($who)?->stopsWaiting($who, $at),
			'line' => $this->lines($line, $at, $who, $text),
			'late' => $this->lining[$who]['late'] = (int) $text,
			'kill' => $this->kill($at, $text),
			'stop' => $this->stop($at, $text),
			'go' => null,
			'healed' => $this->healed($at, $text),
			'failover' => $this->failovers[] = $at,
			'switched' => $this->switches[] = $at,
			'fault' => $this->faults[] = [$at, $text, $at],
			'denied' => $this->denied[] = [$at, "$who, line $line"],
			'warned' => $this->counts['warned']++,
			'trouble' => $this->trouble($at, $who, $text),
			'count' => $this->names[$words[0]]['count'] = array_map(intval(...), array_slice($words, 1)),
			'left' => $this->left[] = $text,
			'end' => $this->ends($at),
			default => $this->wrong[] = "$who, line $line: $text",
		};
	}

	private function room(string $who): ?Room
	{
		return $this->rooms[$this->where[$who] ?? ''] ?? null;
	}

	private function wants(int $line, int $at, string $who, string $name, string $weight): void
	{
		$this->where[$who] = $name;
		$this->rooms[$name]->waits($who, $at, $line, (int) $weight);
	}

	private function trouble(int $at, string $who, string $text): void
	{
		$this->counts['trouble']++;
		$this->room($who)?->stopsWaiting($who, $at);
		$this->unclear[] = [$this->where[$who] ?? '', $at];
		$kind = preg_replace('/ \(.*|lock "[^"]*": /', '', $text);
		$this->troubles[$kind] = ($this->troubles[$kind] ?? 0) + 1;
	}

	private function enter(int $line, int $at, string $who, string $name, string $until, string $fence, string $weight = '1'): void
	{
		$this->open[$who] = ['line' => $line, 'at' => $at, 'name' => $name, 'until' => (int) $until, 'fence' => $fence,
			'weight' => (int) $weight];
		$this->where[$who] = $name;
		$this->room($who)?->enters($who, $at, (int) $weight);
		if (isset($this->lining[$who])) {
			$wait = $this->lining[$who];
			unset($this->lining[$who]);
			$this->waits[] = $wait + ['to' => $at, 'newcomer' => $this->isNewcomer($wait)];
		}
		if (isset($this->killed[strtok($who, '.')])) {
			$this->dies($who, $at);
		}
		$kind = $this->kinds[$who];
		$this->sections[$kind] = ($this->sections[$kind] ?? 0) + 1;
	}

	private function lines(int $line, int $at, string $who, string $name): void
	{
		$this->lining[$who] = ['line' => $line, 'who' => $who, 'name' => $name, 'from' => $at, 'late' => 0, 'stopped' => false, 'passed' => false];
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

	private function leaves(string $who, int $at): array
	{
		$this->room($who)?->leaves($who, $at);
		$section = $this->open[$who];
		unset($this->open[$who]);
		return $section;
	}

	private function leave(int $at, string $who, string $until, string $file, string $redis): void
	{
		$section = $this->leaves($who, $at);
		$this->releases[$section['name']] = ['who' => $who, 'from' => $at, 'to' => PHP_INT_MAX];
		if ($until !== '0') {
			/* Valid to the last: so it was all the time, however often it was renewed. */
			$section['until'] = PHP_INT_MAX;
			if ($file === 'refused' || $redis === 'refused') {
				$this->wrong[] = "line $section[line]: a fence was refused while the lock was valid";
			}
		} elseif ($file !== '-' && $section['fence'] === '-') {
			$this->counts['overran']++;
			$this->names[$section['name']]['overran'] = true;
		}
		$this->close($section, $at, [$file, $redis]);
	}

	/** w1.1, w1.2, ... of w1, or itself. */
	private function fibersOf(string $who): array
	{
		return array_filter(array_keys($this->kinds), fn ($one) => strtok($one, '.') === $who);
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

	private function close(array $section, int $at, array $counted, ?string $how = null): void
	{
		$name = &$this->names[$section['name']];
		$from = $section['at'];
		$to = max($from, min($at, $section['until'], $section['killed'] ?? PHP_INT_MAX));
		/* Packed, since there are many; as strings they sort like the numbers. */
		$name['held'][] = pack('J2Nqn', $from, $to, $section['line'], (int) $section['fence'], $section['weight']);
		foreach ($counted as $store => $value) {
			if (is_numeric($value)) {
				$name['written'][$store][$value] = ($name['written'][$store][$value] ?? 0) + 1;
			} elseif ($value === 'refused') {
				$this->counts['refused']++;
			} else {
				$name['unknown'][$store] = ($name['unknown'][$store] ?? 0) + 1;
			}
		}
		if ($how !== null) {
			$this->counts[$how]++;
		}
	}

	/** Prints what was found; true: nothing is wrong. */
	public function report(): bool
	{
		$total = array_sum($this->sections);
		echo "found: $this->title\n";
		printf("       %s critical sections in %.0f s; %d left by an exception, %d by being killed; %d times trouble, %d warnings\n",
			number_format($total), (($this->end ?? $this->begin) - $this->begin) / 1e9, $this->counts['lost'],
			$this->counts['killed'], $this->counts['trouble'], $this->counts['warned']);
		ksort($this->sections);
		foreach ($this->sections as $kind => $number) {
			printf("       %9s  %s\n", number_format($number), $kind);
		}
		foreach ($this->held() as $name) {
			printf("       %9s  of %s\n", number_format(count($this->names[$name]['held'])), $name);
		}
		arsort($this->troubles);
		foreach ($this->troubles as $kind => $number) {
			printf("       %9s  %s\n", number_format($number), $kind);
		}
		$this->say('the history is whole', $this->end !== null && $total > 0, $this->end === null ? 'it has no end' : "$total sections");
		$this->exclusion();
		$this->fences();
		$this->updates();
		$this->sayLoss('nobody is told "not ours" while valid', $this->denied);
		$this->stalls();
		if ($this->rooms) {
			$this->idleness();
		}
		if ($this->waits) {
			$this->order();
			$this->fairness();
		}
		$this->say('nothing is left behind', $this->left === [], self::some($this->left));
		$this->say('nothing else went wrong', $this->wrong === [], self::some($this->wrong));
		echo "$this->passed passed, $this->failed failed, 0 skipped\n";
		return $this->failed === 0;
	}

	private function say(string $what, bool $right, string $found): void
	{
		$right ? $this->passed++ : $this->failed++;
		printf("%s  %s: %s\n", $right ? 'ok    ' : 'FAILED', $what, $found);
	}

	private static function some(array $texts): string
	{
		$count = count($texts);
		return match (true) {
			$count === 0 => 'none',
			$count <= 3 => implode('; ', $texts),
			default => "$count, such as " . implode('; ', array_slice($texts, 0, 3)),
		};
	}

	/** Of each name: claims in the order of their beginning. */
	private function claims(string $name): Generator
	{
		sort($this->names[$name]['held'], SORT_STRING);
		foreach ($this->names[$name]['held'] as $claim) {
			yield array_values(unpack('J2time/Nline/qfence/nweight', $claim));
		}
	}

	private function held(): array
	{
		return array_keys(array_filter($this->names, fn ($name) => isset($name['held'])));
	}

	private function exclusion(): void
	{
		$overlaps = $most = [];
		$last_after = $longest = 0.0;
		foreach ($this->held() as $name) {
			[$size, $most[$name]] = [$this->sizeOf($name), 0];
			$inside = []; /* line => [to, weight] */
			foreach ($this->claims($name) as [$from, $to, $line, , $weight]) {
				$inside = array_filter($inside, fn ($claim) => $claim[0] > $from);
				$sum = array_sum(array_column($inside, 1)) + $weight;
				$most[$name] = max($most[$name], $sum);
				if ($sum > $size) {
					$ms = (min($to, min(array_column($inside, 0))) - $from) / 1e6;
					$longest = max($longest, $ms);
					$last_after = max($last_after, self::since($this->failovers, $from));
					$lines = implode(', ', array_keys($inside));
					$overlaps[] = [$from, sprintf('%s, lines %s and %d for %.3f ms', $name, $lines, $line, $ms) .
						($size > 1 ? ": $sum of $size" : '')];
					$this->names[$name]['shared'] = ($this->names[$name]['shared'] ?? []) + $inside;
				}
				$inside[$line] = [$to, $weight];
			}
		}
		$this->sayLoss('never two inside while both are valid', $overlaps);
		if ($this->rooms) {
			echo '        inside at once: ', implode(', ', array_map(fn ($name, $sum) => "$name $sum of {$this->sizeOf($name)}",
				array_keys($most), $most)), "\n";
		}
		if ($this->failovers && $overlaps) {
			printf("        the longest lasted %.0f ms, the last began %.1f s after its failover; holders who were not alone: %s\n",
				$longest, $last_after, implode(', ', array_map(fn ($name) => $name . ' ' .
				count($this->names[$name]['shared'] ?? []), $this->held())));
		}
	}

	/** How many may be inside. */
	private function sizeOf(string $name): int
	{
		return isset($this->rooms[$name]) ? $this->rooms[$name]->size : 1;
	}

	/** Seconds from the last of these points in time that is before. */
	private static function since(array $points, int $at): float
	{
		$before = array_filter($points, fn ($point) => $point <= $at);
		return $before ? ($at - max($before)) / 1e9 : INF;
	}

	/** What must not be, except within the known window after a failover. */
	private function sayLoss(string $what, array $found): void
	{
		$wrong = array_filter($found, fn ($one) => self::since($this->failovers, $one[0]) > self::LOSS &&
			self::since($this->switches, $one[0]) > self::LOSS_OF_SWITCH);
		$known = count($found) - count($wrong);
		$apart = sprintf(', apart from %d times within %.0f s after one of %d failovers began, or %.0f s after a sentinel named another master (%d times)',
			$known, self::LOSS, count($this->failovers), self::LOSS_OF_SWITCH, count($this->switches));
		$this->say($what, $wrong === [], self::some(array_column($wrong, 1)) . ($this->failovers || $this->switches ? $apart : ''));
	}

	private function fences(): void
	{
		$wrong = [];
		$seen = 0;
		foreach ($this->held() as $name) {
			$highest = 0;
			foreach ($this->claims($name) as [$from, $to, $line, $fence]) {
				/* One that overran before it had even entered says when it said so, not when it got the lock. */
				if ($fence > 0 && $to > $from) {
					$seen++;
					if ($fence <= $highest) {
						$wrong[] = "line $line: $fence after $highest";
					}
					$highest = max($highest, $fence);
				}
			}
		}
		$this->say('fences grow', $wrong === [], $wrong === [] ? "$seen of them, {$this->counts['refused']} writes refused"
			: self::some($wrong));
	}

	/** Each number up to the last was written by one section, except for those by sections that could not say so. */
	private function updates(): void
	{
		$wrong = [];
		$lost = $numbers = 0;
		foreach ($this->names as $name => $of) {
			foreach ($of['count'] ?? [] as $store => $final) {
				$written = $of['written'][$store] ?? [];
				$numbers += count($written);
				$twice = array_sum($written) - count($written);
				$missing = $final - count($written);
				$unknown = $of['unknown'][$store] ?? 0;
				if (isset($of['overran']) || isset($of['shared'])) {
					/* Nothing else than a fence would have helped. What is out of order has been said before. */
					$lost += $twice;
				} elseif ($twice > 0 || $missing < 0 || $missing > $unknown) {
					$wrong[] = "$name, " . ['file', 'Redis'][$store] . ": $twice twice, $missing of $final missing, $unknown unknown";
				}
			}
		}
		$this->say('no update is lost', $wrong === [], $wrong === [] ? "$numbers in all; " . ($lost > 0 ?
			"$lost lost without a fence: two were inside, or one was stopped beyond its validity ({$this->counts['overran']} times)" :
			"{$this->counts['overran']} sections without a fence were stopped beyond their validity") : self::some($wrong));
	}

	/** Was something done so shortly before that newcomers may have been first? */
	private function isDisturbed(int $at): bool
	{
		return array_filter($this->faults, fn ($fault) => $at >= $fault[0] && $at < $fault[2] + self::DISORDER) !== [];
	}

	/** Whoever comes first is served first. From when somebody stands in line is known so well as the machine let it run. */
	private function order(): void
	{
		$wrong = $newcomers = [];
		$excused = 0;
		foreach ($this->waits as $i => $first) {
			foreach (array_slice($this->waits, $i + 1) as $second) {
				if ($second['name'] === $first['name'] && $second['from'] + $second['late'] < $first['from'] - self::APART && $first['to'] < $second['from'] + self::KEPT &&
					/* Readers who come in together say so in any order. */
					$first['to'] < $second['to'] - self::APART) {
					if ($second['stopped'] || $second['passed'] || $this->isDisturbed($first['to'])) {
						$excused++;
					} elseif ($first['newcomer']) {
						$newcomers[$i] = true;
					} else {
						$wrong[] = sprintf('%s, line %d, waited for %.1f s when %s, line %d, went first after %.1f s', $second['who'], $second['line'],
							($first['to'] - $second['from']) / 1e9, $first['who'], $first['line'], ($first['to'] - $first['from']) / 1e9);
					}
				}
			}
		}
		$this->say('waiters are served in order', $wrong === [], $wrong === [] ? sprintf('%d waits, %d out of order where something had been done',
			count($this->waits), $excused) : self::some($wrong));
		$this->say('newcomers are rarely faster than who is woken', count($newcomers) * self::NEWCOMERS <= count($this->waits),
			sprintf('%d, who came in the moment of a release', count($newcomers)));
	}

	/** While one waits all others have a turn, and not many of them two; once more all, where a newcomer was faster than it. */
	private function fairness(): void
	{
		$wrong = [];
		$most = 0;
		$longest = 0.0;
		$crew = count($this->kinds) - count($this->killed);
		foreach ($this->waits as $j => $wait) {
			$turns = 1;
			for ($i = $j - 1; $i >= 0 && $this->waits[$i]['to'] > $wait['from']; $i--) {
				$turns += $this->waits[$i]['name'] === $wait['name'] ? 1 : 0;
			}
			$longest = max($longest, ($wait['to'] - $wait['from']) / 1e9);
			if (!$wait['stopped'] && !$this->isDisturbed($wait['to'])) {
				$most = max($most, $turns);
				if ($turns > self::FAIR * $crew * ($wait['passed'] ? 2 : 1) + 1) {
					$wrong[] = sprintf('%s, line %d, waited for %d turns, %.1f s', $wait['who'], $wait['line'], $turns, ($wait['to'] - $wait['from']) / 1e9);
				}
			}
		}
		$this->say('waiting is fair', $wrong === [], $wrong === [] ? sprintf('%d turns at most for %d processes, %.1f s', $most, $crew, $longest)
			: self::some($wrong));
	}

	/** While somebody waits and would fit, nobody else is let in either: never for long, unless something is done meanwhile. */
	private function idleness(): void
	{
		/* [from, to, name or null for all], ns. */
		$done = array_map(fn ($unclear) => [$unclear[1], $unclear[1] + self::TTL, $unclear[0]], $this->unclear);
		foreach ($this->faults as [$from, $text, $to]) {
			$whom = preg_match('/\bw\d+/', $text, $m) ? $m[0] : null;
			/* With its child, or without one, whoever is killed takes its room along until the ttl is over. */
			$done[] = [$from, $to + (str_contains($text, 'child') ? self::TTL : 0), $whom === null ? null : $this->where[$whom] ?? ''];
		}
		sort($done);
		$wrong = [];
		$longest = 0;
		foreach ($this->rooms as $name => $room) {
			$here = array_filter($done, fn ($one) => ($one[2] ?? $name) === $name);
			foreach ($room->idle as [$from, $to, $who, $line]) {
				$last = $from;
				$meanwhile = array_filter($here, fn ($one) => $one[1] >= $from && $one[0] <= $to);
				foreach ([...$meanwhile, [$to, $to, $name]] as [$begun, $undone]) {
					$longest = max($longest, $begun - $last);
					if ($begun - $last > self::IDLE) {
						$wrong[] = sprintf('%s: %s, line %d, waited for %.1f s, from %.1f s on for nothing', $name, $who, $line,
							($to - $from) / 1e9, ($last - $this->begin) / 1e9);
					}
					$last = max($last, $undone);
				}
			}
		}
		$this->say('no room stands idle while somebody waits', $wrong === [], $wrong === [] ? sprintf('for %.2f s at most', $longest / 1e9) :
			self::some($wrong));
	}

	/** For how long, ns, of this time the server was about to start again, which a busy machine decides. */
	private function restarts(int $from, int $to): int
	{
		$restarts = array_filter($this->faults, fn ($fault) => str_starts_with($fault[1], 'restart'));
		return array_sum(array_map(fn ($fault) => max(0, min($to, $fault[2]) - max($from, $fault[0])), $restarts));
	}

	private function stalls(): void
	{
		$longest = [0, 0, ''];
		foreach ($this->held() as $name) {
			$last = $this->begin;
			foreach ($this->claims($name) as [$from]) {
				$pause = $from - $last;
				$longest = max($longest, [$pause > $longest[0] ? $pause - $this->restarts($last, $from) : $pause, $last, $name]);
				$last = $from;
			}
		}
		[$pause, $from, $name] = $longest;
		$meanwhile = array_filter($this->faults, fn ($fault) => $fault[0] > $from - 1e9 && $fault[0] < $from + $pause);
		$this->say('no standstill', $pause / 1e9 <= ($this->failovers ? self::STALL_OF_FAILOVER : self::STALL), sprintf('the longest pause of a name was %.2f s (%s): %s',
			$pause / 1e9, $name, self::some(array_values(array_map(fn ($fault) => sprintf('%s after %.1f s', $fault[1],
			($fault[0] - $from) / 1e9), $meanwhile)))));
	}
}
