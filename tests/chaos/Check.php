<?php
/** Judges a history, and nothing else: it can be done again at any time. */
final class Check extends Reading
{
	/* The ttl, 3 s, of one that is killed, with its child or cut off; a provisional ttl each of two waiters that froze or vanished
	   meanwhile, 2 s; an outage, 1.5 s; and some room for a busy machine. */
	private const STALL = 10.0;
	/* The same, and a failover, 4 s, the next of which may follow at once. */
	private const STALL_OF_FAILOVER = 20.0;

	/* For so long a place in the queue is kept. */
	private const KEPT = 60_000_000;
	/* After something was done newcomers may find the lock free before those who wait do: a provisional ttl, 2 s, and a look, 1 s. */
	private const DISORDER = 4_000_000;
	/* Of so many waits one may be a newcomer's that came in the moment of a release, and was faster than who was woken. */
	private const NEWCOMERS = 50;
	/* In relation to one each: as many turns others may have while somebody waits, and a turn more or less. */
	private const FAIR = 1.3;
	/* For so long a room may stand idle while somebody waits and nothing is done: a provisional ttl, 2 s, and a look, 1 s. */
	private const IDLE = 3_000_000;
	/* The ttl: so long room is taken by one who left without saying so. */
	private const TTL = 3_000_000;

	private int $passed = 0;
	private int $failed = 0;

	/** Prints what was found; true: nothing is wrong. */
	public function report(): bool
	{
		$total = array_sum($this->sections);
		echo "found: {$this->begin['what']}\n";
		printf("       %s critical sections in %.0f s; %d left by an exception, %d by being killed; %d times trouble, %d warnings\n",
			number_format($total), (($this->end ?? $this->begin['time']) - $this->begin['time']) / 1e6, $this->counts['lost'],
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
		$this->say('writes are in the order of their fences', $this->disorder === [], self::some($this->disorder));
		$this->updates();
		$this->sayLoss('nobody is told "not ours" while valid', $this->denied);
		if ($this->begin['lively']) {
			$this->stalls();
			$this->rooms === [] || $this->idleness();
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
		$last = $longest = 0.0;
		foreach ($this->held() as $name) {
			[$size, $most[$name]] = [$this->sizeOf($name), 0];
			$inside = []; /* line => [to, weight] */
			foreach ($this->claims($name) as [$from, $to, $line, , $weight]) {
				if ($to === $from) {
					continue; /* it was over before it was said */
				}
				$inside = array_filter($inside, fn ($claim) => $claim[0] > $from);
				$sum = array_sum(array_column($inside, 1)) + $weight;
				$most[$name] = max($most[$name], $sum);
				if ($sum > $size) {
					$ms = (min($to, min(array_column($inside, 0))) - $from) / 1e3;
					$longest = max($longest, $ms);
					foreach ($this->excusesOf($name, $from) as [$begun]) {
						$last = max($last, ($from - $begun) / 1e6);
					}
					$lines = implode(', ', array_keys($inside));
					$overlaps[] = [$from, $name, sprintf('%s, lines %s and %d for %.3f ms', $name, $lines, $line, $ms) .
						($size > 1 ? ": $sum of $size" : '')];
					$this->names[$name]['shared'] = ($this->names[$name]['shared'] ?? []) + $inside;
				}
				$inside[$line] = [$to, $weight];
			}
		}
		$this->sayLoss('never two inside while both are valid', $overlaps);
		if ($this->rooms && $this->begin['lively']) {
			echo '        inside at once: ', implode(', ', array_map(fn ($name, $sum) => "$name $sum of {$this->sizeOf($name)}",
				array_keys($most), $most)), "\n";
		}
		if ($this->excuses && $overlaps && $this->begin['lively']) {
			printf("        the longest lasted %.0f ms, the last began %.1f s after its excuse; holders who were not alone: %s\n",
				$longest, $last, implode(', ', array_map(fn ($name) => $name . ' ' .
				count($this->names[$name]['shared'] ?? []), $this->held())));
		}
	}

	/** How many may be inside. */
	private function sizeOf(string $name): int
	{
		return isset($this->rooms[$name]) ? $this->rooms[$name]->size : 1;
	}

	/** Such as a failover: what of the server may excuse that a lock is lost at that time. */
	private function excusesOf(string $name, int $at): array
	{
		return array_filter($this->excuses, fn ($excuse) => $excuse[0] <= $at && $at <= $excuse[1] && ($excuse[2] ?? $name) === $name);
	}

	/** What must not be, unless something excuses it. */
	private function sayLoss(string $what, array $found): void
	{
		$wrong = array_filter($found, fn ($one) => $this->excusesOf($one[1], $one[0]) === []);
		$apart = sprintf(', apart from %d times that one of %d excuses is for', count($found) - count($wrong), count($this->excuses));
		$this->say($what, $wrong === [], self::some(array_column($wrong, 2)) . ($this->excuses ? $apart : ''));
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
					$wrong[] = "$name, " . $store . ": $twice twice, $missing of $final missing, $unknown unknown";
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
							($first['to'] - $second['from']) / 1e6, $first['who'], $first['line'], ($first['to'] - $first['from']) / 1e6);
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
			$longest = max($longest, ($wait['to'] - $wait['from']) / 1e6);
			if (!$wait['stopped'] && !$this->isDisturbed($wait['to'])) {
				$most = max($most, $turns);
				if ($turns > self::FAIR * $crew * ($wait['passed'] ? 2 : 1) + 1) {
					$wrong[] = sprintf('%s, line %d, waited for %d turns, %.1f s', $wait['who'], $wait['line'], $turns, ($wait['to'] - $wait['from']) / 1e6);
				}
			}
		}
		$this->say('waiting is fair', $wrong === [], $wrong === [] ? sprintf('%d turns at most for %d processes, %.1f s', $most, $crew, $longest)
			: self::some($wrong));
	}

	/** While somebody waits and would fit, nobody else is let in either: never for long, unless something is done meanwhile. */
	private function idleness(): void
	{
		/* [from, to, name or null for all]. */
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
							($to - $from) / 1e6, ($last - $this->begin['time']) / 1e6);
					}
					$last = max($last, $undone);
				}
			}
		}
		$this->say('no room stands idle while somebody waits', $wrong === [], $wrong === [] ? sprintf('for %.2f s at most', $longest / 1e6) :
			self::some($wrong));
	}

	/** For how long of this time the server was about to start again, which a busy machine decides. */
	private function restarts(int $from, int $to): int
	{
		$restarts = array_filter($this->faults, fn ($fault) => str_starts_with($fault[1], 'restart'));
		return array_sum(array_map(fn ($fault) => max(0, min($to, $fault[2]) - max($from, $fault[0])), $restarts));
	}

	private function stalls(): void
	{
		$longest = [0, 0, ''];
		foreach ($this->held() as $name) {
			$last = $this->begin['time'];
			foreach ($this->claims($name) as [$from]) {
				$pause = $from - $last;
				$longest = max($longest, [$pause > $longest[0] ? $pause - $this->restarts($last, $from) : $pause, $last, $name]);
				$last = $from;
			}
		}
		[$pause, $from, $name] = $longest;
		$meanwhile = array_filter($this->faults, fn ($fault) => $fault[0] > $from - 1e6 && $fault[0] < $from + $pause);
		$this->say('no standstill', $pause / 1e6 <= ($this->excuses ? self::STALL_OF_FAILOVER : self::STALL), sprintf('the longest pause of a name was %.2f s (%s): %s',
			$pause / 1e6, $name, self::some(array_values(array_map(fn ($fault) => sprintf('%s after %.1f s', $fault[1],
			($fault[0] - $from) / 1e6), $meanwhile)))));
	}
}
