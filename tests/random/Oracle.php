<?php
/** What an object was made with, and what it said of itself last. */
final class Known
{
	public ?array $belief = null; /* see Actor::beliefs() */
	public array $robbed = []; /* server => when, ns, somebody else touched its key there, after it was acquired */
	public bool $unanswered = false; /* a call since then ended without an answer: a release, say, may have been done */
	public int $depth = 0; /* entries that have not been released */
	public array $entered = []; /* tokens by which synchronized() runs, the innermost last */
	public string $kind; /* of what it holds: "plain", "permits", "shared" */

	public function __construct(public readonly string $id, public readonly string $process, public readonly array $options)
	{
		$this->kind = $this->kindOfOptions();
	}

	/** What it acquires; upgrade() and downgrade() change what it holds. */
	public function kindOfOptions(): string
	{
		return match (true) {
			$this->options['shared'] ?? false => 'shared',
			isset($this->options['permits']) => 'permits',
			default => 'plain',
		};
	}

	/** Is there room for it beside these at its key: [token => [ms left, weight]]; 0 is the weight of what is no member of a set. */
	public function fitsBeside(array $holders, string $kind): bool
	{
		return match ($kind) {
			'plain' => $holders === [],
			'shared' => !in_array(0, array_column($holders, 1), true),
			'permits' => !in_array(0, array_column($holders, 1), true) &&
				array_sum(array_column($holders, 1)) + ($this->options['weight'] ?? 1) <= $this->options['permits'],
		};
	}

	/** May they hold their key at the same time? Of permits, all are counted elsewhere. */
	public function sharesWith(Known $other): bool
	{
		return $this->isPartner($other) || $this->kind === $other->kind && $this->kind !== 'plain';
	}

	public function key(): string
	{
		return ($this->options['prefix'] ?? '') . $this->options['name'];
	}

	public function held(): bool
	{
		return $this->belief['held'] ?? false;
	}

	/** At least until then, ns, by its own words; an earlier moment than it meant, never a later one. */
	public function until(): float
	{
		return $this->held() ? $this->belief['at'] + $this->belief['remaining'] * 1e9 : 0.0;
	}

	public function isReentrant(): bool
	{
		return $this->options['reentrant'] ?? false;
	}

	/** May they hold their key together? One server by two addresses is two servers. */
	public function isPartner(Known $other): bool
	{
		return $other !== $this && $this->isReentrant() && $other->isReentrant() && $other->key() === $this->key() &&
			$other->process === $this->process && $other->options['via'] === $this->options['via'];
	}

	/** Is its token that of other objects, too? */
	public function shares(): bool
	{
		return str_starts_with($this->options['token'] ?? '', 'shared ');
	}

	public function isBound(): bool
	{
		return $this->options['renew'] ?? false;
	}
}

final class Wrong extends Exception
{
	/** $late: the machine may have stood still, so it has to be seen again. */
	public function __construct(string $text, public readonly bool $late = false)
	{
		parent::__construct($text);
	}

	/** After which step. */
	public function at(int $step): self
	{
		$this->message .= " (step $step)";
		return $this;
	}
}

/**
 * What must be so: compares what calls say, what objects say of themselves, and what the servers have.
 *
 * A look is what a server had at some moment between `from` and `to`, ns: key => [token => [ms left, weight]], and who stands at
 * the turnstile of which key; null is a server that could not be asked, which is taken to speak for whatever is said. Looks are taken before and after every call. All rules are
 * such that a machine that stands still makes them say less, never something wrong; those of times are marked.
 *
 * A key is steady when nothing may happen to it but the call: nobody waits for it, nothing of an earlier call is under way.
 */
final class Oracle
{
	/* Over its limit a call takes less than this, s. */
	private const SLACK = 0.5;
	/* An answer that took so long may have been waited for in vain. */
	private const LATE = 0.25;

	/** @var array<string, Known> */
	public array $known = [];
	public array $before = []; /* server => look */
	private array $fences = []; /* prefix and name => the highest seen */
	private array $unsteady = []; /* key => until when, ns */
	private array $spoiled = []; /* keys where a request of a shared token may come late, and do what it says to another */
	private float $excused = 0.0; /* until when, ns, servers may not have answered */
	private Closure $look;
	private Closure $ask;

	/** $ask(Known) has an object say anew what it says of itself; false: it is amid a call. */
	public function __construct(private int $servers, Closure $look, Closure $ask)
	{
		$this->look = $look;
		$this->ask = $ask;
	}

	public function look(): array
	{
		return ($this->look)();
	}

	/** From now on something may happen to a key without a call. */
	public function unsettle(string $key, float $seconds = 2.0): void
	{
		$this->unsteady[$key] = max($this->unsteady[$key] ?? 0, hrtime(true) + $seconds * 1e9);
	}

	public function settle(string $key): void
	{
		unset($this->unsteady[$key]);
	}

	/** Calls may fail for want of a server. */
	public function excuse(float $seconds): void
	{
		$this->excused = hrtime(true) + $seconds * 1e9;
	}

	/** Everything at a server is gone, and with it what fences are counted by. */
	public function robAll(int $server): void
	{
		foreach ($this->known as $known) {
			$known->robbed[$server] = hrtime(true);
		}
		$this->fences = [];
	}

	/** Somebody else did something to the key there. */
	public function rob(string $key, int $server, ?Known $but = null): void
	{
		foreach ($this->known as $known) {
			if ($known->key() === $key && $known !== $but) {
				$known->robbed[$server] = hrtime(true);
			}
		}
	}

	private function majority(): int
	{
		return intdiv($this->servers, 2) + 1;
	}

	/** How many servers have this token at the key, those included that could not be asked. */
	private static function count(array $looks, string $key, ?string $token): int
	{
		return count(array_filter($looks, fn ($look) => $look === null || isset($look['keys'][$key][$token])));
	}

	/** Those at the key who stay until then, ns, unless somebody does something. */
	private static function holders(array $look, string $key, float $alive = 0): array
	{
		return array_filter($look['keys'][$key] ?? [], fn ($holder) => $holder[0] < 0 || $look['from'] + $holder[0] * 1e6 > $alive);
	}

	/** After a call of an object of ours: the outcome, and what is there now. */
	public function judge(Known $known, string $call, array $arguments, array $outcome): void
	{
		$now = $this->look();
		$this->noteShared($known, $call, $outcome);
		$steady = ($this->unsteady[$known->key()] ?? 0) < $outcome['began'];
		if (isset($outcome['threw'])) {
			$this->judgeException($known, $call, $outcome);
		} else {
			$rule = [$call, $outcome['value']];
			match (true) {
				$rule === ['acquire', true], $rule === ['enter', true] => $this->judgeAcquired($known, $call, $outcome, $steady),
				$rule === ['acquire', false] => $this->judgeRefused($known, $now, $steady),
				$call === 'upgrade' => $this->judgeUpgraded($known, $outcome, $now, $steady),
				$rule === ['downgrade', true] => $this->judgeDowngraded($known, $steady),
				$call === 'holders' => $this->judgeHolders($known, $outcome['value'], $now, $steady),
				$rule === ['release', true] => $this->judgeReleased($known, $outcome, $steady),
				$call === 'leave' => $this->judgeLeft($known, $outcome, $steady),
				$rule === ['isAcquired', true], $rule === ['keepAlive', true] => $this->judgeConfirmed($known, $call, $steady),
				$rule === ['release', false], $rule === ['isAcquired', false], $rule === ['keepAlive', false], $rule === ['downgrade', false] =>
					$this->judgeDenied($known, $call, $outcome),
				$call === 'forceRelease' => $this->judgeForced($known, $outcome['value'], $now, $steady),
				$call === 'fork' && $outcome['value'] !== [] => throw new Wrong(implode(', ', $outcome['value'])),
				default => null,
			};
		}
		/* What takes time in fork() is a process that begins and ends. */
		$took = $call === 'fork' ? 0.0 : ($outcome['ended'] - $outcome['began']) / 1e9;
		$limit = ($call === 'acquire' ? ($arguments[0] ?? 0) : 0) + ($this->excused > $outcome['began'] ? 2.0 : 0);
		if ($took > $limit + self::SLACK) {
			throw new Wrong(sprintf('%s->%s() took %.3f s, its limit is %.3f s', $known->id, $call, $took, $limit), true);
		}
	}

	/** Whoever speaks when it has the lock no more, or does not know, speaks of whoever has it now by the same token. */
	private function noteShared(Known $known, string $call, array $outcome): void
	{
		if (!$known->shares()) {
			return;
		}
		if (in_array($outcome['threw'] ?? '', [RedisLock\ConnectionException::class, RedisLock\LockLostException::class], true)) {
			$this->spoiled[$known->key()] = true;
		}
		$speaks = in_array($call, ['release', 'keepAlive', 'isAcquired'], true);
		if (isset($this->spoiled[$known->key()]) || $speaks && ($outcome['held_until'] < $outcome['ended'] || $known->robbed)) {
			for ($server = 0; $server < $this->servers; $server++) {
				$this->rob($known->key(), $server);
			}
		}
	}

	/** Whatever objects say of themselves. */
	public function judgeBeliefs(): void
	{
		$this->before = $now = $this->look();
		$tokens = [];
		foreach ($this->known as $known) {
			if ($known->held() && !$known->unanswered) {
				$this->judgeHeld($known, $now);
				if ($known->until() > hrtime(true) && !$known->robbed) {
					$this->judgeTogether($known, $tokens[$known->key()] ?? []);
				}
				$tokens[$known->key()][] = $known;
			}
		}
	}

	/** @param list<Known> $others who said that they hold the same key */
	private function judgeTogether(Known $known, array $others): void
	{
		$sum = $known->options['weight'] ?? 1;
		$most = $known->options['permits'] ?? 1;
		foreach ($others as $other) {
			if ($other->until() > hrtime(true) && !$other->robbed) {
				if (!$known->sharesWith($other)) {
					throw new Wrong("$known->id and $other->id both hold {$known->key()}");
				}
				$sum += $other->options['weight'] ?? 1;
				$most = max($most, $other->options['permits'] ?? 1);
			}
		}
		if ($known->kind === 'permits' && $sum > $most) {
			throw new Wrong("$sum of $most permits of {$known->key()} are held, $known->id the last");
		}
	}

	private function judgeHeld(Known $known, array $now): void
	{
		$votes = 0;
		foreach ($now as $server => $look) {
			if ($look === null || isset($known->robbed[$server]) || $known->until() <= $look['to']) {
				$votes++;
			} elseif (isset($look['keys'][$known->key()][$known->belief['token']])) {
				$votes++;
				[$pttl] = $look['keys'][$known->key()][$known->belief['token']];
				if ($this->servers === 1 && $pttl >= 0 && $known->until() > $look['to'] + ($pttl + 2) * 1e6) {
					throw new Wrong(sprintf('%s->remaining() is %.1f ms longer than the key lives', $known->id,
						($known->until() - $look['to']) / 1e6 - $pttl));
				}
			}
		}
		if ($votes < $this->majority() && !$this->isLost($known)) {
			throw new Wrong("$known->id->isHeld(), but {$known->key()} has " . self::said($now, $known->key()));
		}
	}

	/** Lost since it spoke? What it had is freed before it is asked again. */
	private function isLost(Known $known): bool
	{
		return $known->isBound() && $known->robbed && (!($this->ask)($known) || !$known->held());
	}

	private static function said(array $looks, string $key): string
	{
		return implode(', ', array_map(fn ($look) => implode(' and ', array_keys($look['keys'][$key] ?? [])) ?: 'nothing', $looks));
	}

	/** On how many servers others leave no room for it. */
	private function others(array $looks, Known $known, float $alive = 0, ?string $kind = null): int
	{
		$partners = $this->partners($known);
		$ours = [$known->belief['token'] ?? null, ...array_map(fn ($partner) => $partner->belief['token'], $partners)];
		$there = array_filter($looks, fn ($look) => $look !== null && !$known->fitsBeside(array_diff_key(
			self::holders($look, $known->key(), $alive), array_flip(array_filter($ours))), $kind ?? $known->kindOfOptions()));
		return count($there);
	}

	/** Those who are in the lock together with it. @return list<Known> */
	private function partners(Known $known): array
	{
		return array_filter($this->known, fn ($other) => $other->depth > 0 && $known->isPartner($other));
	}

	private function judgeAcquired(Known $known, string $call, array $outcome, bool $steady): void
	{
		$entered = $known->isReentrant() && ($known->depth > 0 || $this->partners($known));
		if ($steady && !$entered && $this->others($this->before, $known, $outcome['ended']) > $this->servers - $this->majority()) {
			throw new Wrong("$known->id was acquired, though {$known->key()} had " . self::said($this->before, $known->key()));
		}
		$ttl = $known->options['ttl'];
		if (!$known->held() && ($known->belief['at'] - $outcome['began']) / 1e9 < $ttl * 0.9 - 0.1 && !$entered) {
			throw new Wrong("$known->id was acquired, but not isHeld()");
		}
		$fence = $known->belief['fence'] ?? null;
		if (($known->options['fence'] ?? false) && !$entered) {
			$counter = ($known->options['prefix'] ?? '') . '|' . $known->options['name'];
			if ($fence === null && $known->held() || $fence !== null && $fence <= ($this->fences[$counter] ?? 0)) {
				throw new Wrong("$known->id has the fence " . json_encode($fence) . ' after ' . ($this->fences[$counter] ?? 0));
			}
			$this->fences[$counter] = $fence ?? 0;
		}
		if (!$entered) {
			$known->kind = $known->kindOfOptions();
			$since = isset($this->spoiled[$known->key()]) && $known->shares() ? 0 : $outcome['began'];
			$known->robbed = array_filter($known->robbed, fn ($at) => $at > $since);
			$known->unanswered = false;
			$known->depth = 0;
		}
		$known->depth++;
		if ($call === 'enter') {
			$known->entered[] = $known->belief['token'];
		}
	}

	private function judgeRefused(Known $known, array $now, bool $steady): void
	{
		if ($steady && !$this->isRefusable($known, $now, $known->kindOfOptions())) {
			throw new Wrong("$known->id was refused {$known->key()}, which had " . self::said($now, $known->key()));
		}
		$known->depth = 0;
	}

	/** Was or is there somebody because of whom it may be refused? */
	private function isRefusable(Known $known, array $now, string $kind): bool
	{
		foreach ([...$this->before, ...$now] as $look) {
			if ($look === null || isset($look['turns'][$known->key()]) || $known->shares() && isset($look['keys'][$known->key()])) {
				return true;
			}
		}
		return $this->others($this->before, $known, kind: $kind) + $this->others($now, $known, kind: $kind) > 0;
	}

	private function judgeUpgraded(Known $known, array $outcome, array $now, bool $steady): void
	{
		if ($outcome['value'] && $known->kind === 'shared') {
			if ($steady && $this->others($this->before, $known, $outcome['ended'], 'plain') > 0) {
				throw new Wrong("$known->id is alone, though {$known->key()} had " . self::said($this->before, $known->key()));
			}
			$known->kind = 'plain';
		} elseif (!$outcome['value'] && $steady && $outcome['held_until'] > $outcome['ended'] && !$known->robbed && !$known->unanswered &&
			!$this->isRefusable($known, $now, 'plain')) {
			throw new Wrong("$known->id is not alone, though {$known->key()} had " . self::said($now, $known->key()));
		}
	}

	private function judgeDowngraded(Known $known, bool $steady): void
	{
		$known->kind = 'shared';
		$this->judgeConfirmed($known, 'downgrade', $steady);
	}

	/** Nobody came or went: these they are. */
	private function judgeHolders(Known $known, array $said, array $now, bool $steady): void
	{
		$there = array_map(fn ($looks) => array_keys($looks[0]['keys'][$known->key()] ?? []), [$this->before, $now]);
		array_walk($there, sort(...));
		$tokens = array_column($said, 'token');
		sort($tokens);
		if ($steady && $this->servers === 1 && !in_array(null, [...$this->before, ...$now], true) && $there[0] === $there[1] &&
			$there[0] !== $tokens) {
			throw new Wrong("$known->id->holders() are " . implode(' and ', $tokens) . ", but {$known->key()} had " .
				self::said($now, $known->key()));
		}
	}

	private function judgeReleased(Known $known, array $outcome, bool $steady): void
	{
		if (--$known->depth > 0 || $this->partners($known)) {
			return;
		}
		$token = $outcome['token'];
		if ($steady && !$known->unanswered &&
			self::count($this->before, $known->key(), $token) < $this->majority()) {
			throw new Wrong("$known->id->release() is true, but {$known->key()} had " . self::said($this->before, $known->key()));
		}
		$this->awaitGone($known, $token);
		$known->depth = 0;
	}

	/** Of several servers, some have it until a later call: what is left is seen at the end. */
	private function awaitGone(Known $known, ?string $token): void
	{
		if ($this->servers > 1) {
			return;
		}
		$gone = fn () => array_filter($this->look(), fn ($look) => isset($look['keys'][$known->key()][$token])) === [];
		if ($token !== null && !comes_true($gone, 2)) {
			throw new Wrong("$known->id was released, but {$known->key()} still has its token");
		}
	}

	/** false: not ours. */
	private function judgeDenied(Known $known, string $call, array $outcome): void
	{
		$held = $outcome['held_until'] > $outcome['ended'];
		if ($held && !$known->robbed && !$known->unanswered) {
			throw new Wrong("$known->id->$call() is false, though it was held and nobody had touched {$known->key()}");
		}
		$known->depth = 0;
	}

	private function judgeConfirmed(Known $known, string $call, bool $steady): void
	{
		if ($steady && self::count($this->before, $known->key(), $known->belief['token'] ?? null) < $this->majority()) {
			throw new Wrong("$known->id->$call() is true, but {$known->key()} had " . self::said($this->before, $known->key()));
		}
	}

	private function judgeForced(Known $known, bool $said, array $now, bool $steady): void
	{
		$there = count(array_filter($this->before, fn ($look) => $look === null || isset($look['keys'][$known->key()])));
		if ($steady && !$said && $there >= $this->majority() && !in_array(null, $this->before, true) ||
			$steady && $said && $there === 0) {
			throw new Wrong("$known->id->forceRelease() is " . json_encode($said) . ", but {$known->key()} had " .
				self::said($this->before, $known->key()));
		}
		foreach (array_keys($now) as $server) {
			$this->rob($known->key(), $server, $known);
		}
		foreach ($this->partners($known) as $partner) {
			$partner->depth = 0;
		}
		$known->depth = 0;
		if ($known->held()) {
			throw new Wrong("$known->id->isHeld() after its forceRelease()");
		}
	}

	private function judgeLeft(Known $known, array $outcome, bool $steady): void
	{
		$token = array_pop($known->entered);
		$known->depth = $outcome['value'] === null ? 0 : max(0, $known->depth - 1);
		/* Another one was acquired inside, after a forceRelease(). */
		$same = $outcome['token'] === $token && $outcome['value'] !== null;
		/* With on_lost => flag a loss is told by isHeld() alone. */
		$tells = ($known->options['on_lost'] ?? '') !== 'flag' || !($known->options['renew'] ?? false);
		if ($same && $steady && $tells && $outcome['said'] === [] && $known->depth === 0 && !$this->partners($known)) {
			if (self::count($this->before, $known->key(), $token) < $this->majority()) {
				throw new Wrong("synchronized() of $known->id ended well, but {$known->key()} had " . self::said($this->before, $known->key()));
			}
			$this->awaitGone($known, $token);
		}
	}

	private function judgeException(Known $known, string $call, array $outcome): void
	{
		$held = $known->depth > 0 || $outcome['held_until'] > 0;
		$late = ($outcome['ended'] - $outcome['began']) / 1e9 > self::LATE || $this->excused > $outcome['began'] ||
			($this->unsteady[$known->key()] ?? 0) === INF || str_contains($outcome['message'], 'replicas');
		$lost = array_filter($this->known, fn ($other) => $other->process === $known->process &&
			($other->robbed || $other->unanswered));
		/* Lost in the middle of a callable, and acquired anew since. */
		$lost = $lost || array_diff($known->entered, [$outcome['token']]);
		$right = match ($outcome['threw']) {
			LogicException::class => in_array($call, ['acquire', 'enter'], true) ? $held || $this->partners($known) :
				in_array($call, ['upgrade', 'downgrade'], true) && $known->kind === 'permits' || !$known->held(),
			RedisLock\ConnectionException::class => $late,
			RedisLock\LockLostException::class => $late || $lost,
			RedisLock\NotAcquiredException::class => $call === 'enter',
			DomainException::class => $call === 'leave',
			default => false,
		};
		if (!$right) {
			throw new Wrong("$known->id->$call() throws $outcome[threw]: $outcome[message]");
		}
		$over = $known->depth <= 1 && !$this->partners($known);
		if ($outcome['threw'] === DomainException::class && $over && !in_array(RedisLock\LockLostException::class, $outcome['chain'], true) &&
			$outcome['held_until'] > 0 && $outcome['token'] === end($known->entered) && count($known->robbed) >= $this->majority()) {
			throw new Wrong("$known->id lost its lock, but the exception out of the callable does not tell");
		}
		if ($call === 'leave') {
			array_pop($known->entered);
			$known->depth = max(0, $known->depth - 1);
		}
		if (!in_array($outcome['threw'], [LogicException::class, RedisLock\NotAcquiredException::class], true)) {
			$known->unanswered = true;
			$this->unsettle($known->key());
		}
	}
}
