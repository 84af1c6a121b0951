<?php

declare(strict_types=1);

namespace RedisLock\Testing;

use RedisLock\Adapter\Failure;
use RedisLock\Adapter\LockOptions;
use RedisLock\Adapter\OptionTable;
use RedisLock\Adapter\Token;

/**
 * @internal The keys of all locks of an ArrayLockFactory, and the clock by which they expire. Times are ms.
 * @phpstan-type Member array{until: int, weight: int, set: bool}
 * @phpstan-import-type Holder from Token
 */
final class ArrayServer
{
	private int $now = 0;
	/** @var array<string, array<string, Member>> who has each key, by his token; one is alone unless his lock is one of several */
	private array $keys = [];
	/** @var array<string, int> */
	private array $fences = [];
	/** @var array<string, list<bool>> who waits for a key: whether others are kept from passing him */
	private array $waiting = [];
	/** @var array<int, ArrayHold> process-bound locks that are renewed */
	private array $renewed = [];
	/** @var array<string, \WeakReference<ArrayHold>> */
	private array $reentrant = [];
	/** @var array<int, array{int, \Closure}> what is to happen, and when */
	private array $due = [];

	public function now(): int
	{
		return $this->now;
	}

	/** Does this token have the key, alone or with others? */
	public function has(string $key, string $token): bool
	{
		return isset($this->members($key)[$token]);
	}

	/** @return list<string> the keys there are */
	public function keys(): array
	{
		return array_values(array_filter(array_map(strval(...), array_keys($this->keys)), fn ($key) => $this->members($key) !== []));
	}

	/** Takes the lock, waiting for $wait while there is no room: the clock goes on meanwhile. null: there was none all that time. */
	public function acquire(LockOptions $options, int $wait): ?ArrayHold
	{
		if ($wait === 0 && $options->isSet() && in_array(true, $this->waiting[$options->key] ?? [], true)) {
			return null;
		}
		$has = fn (): bool => $this->hasRoom($options);

		return $this->wait($options->key, $options->name, $options->shared || $options->weight > 1, $wait, $has) ? $this->take($options) : null;
	}

	/** Has the token's hold be shared or not. False: it is not there, or others share it. */
	public function share(string $key, string $token, bool $shared): bool
	{
		if (!$this->has($key, $token) || !$shared && count($this->members($key)) !== 1) {
			return false;
		}
		$this->keys[$key][$token]['set'] = $shared;

		return true;
	}

	/** Sets when the token's hold expires, if there is one. */
	public function expire(string $key, string $token, int $until): bool
	{
		if (!$this->has($key, $token)) {
			return false;
		}
		$this->keys[$key][$token]['until'] = $until;

		return true;
	}

	/** When the token's hold expires; 0: there is none. */
	public function until(string $key, string $token): int
	{
		return $this->members($key)[$token]['until'] ?? 0;
	}

	/** Deletes the token's hold, or leaves it at rest until $until. Without a token: all holds. False: there is none. */
	public function free(string $key, ?string $token = null, int $until = 0): bool
	{
		$members = $this->members($key);
		if ($token === null ? $members === [] : !isset($members[$token])) {
			return false;
		}
		if ($token !== null && $until > $this->now) {
			$members[Token::resting($token)] = ['until' => $until] + $members[$token];
		}
		unset($members[$token]);
		$this->keys[$key] = $token === null ? [] : $members;

		return true;
	}

	/** @return list<Holder> */
	public function holders(string $key): array
	{
		$holders = [];
		foreach ($this->members($key) as $token => ['until' => $until]) {
			$holders[] = Token::holder((string) $token, $until === OptionTable::NEVER ? null : ($until - $this->now) / 1000.0, ($this->waiting[$key] ?? []) !== []);
		}
		usort($holders, static fn (array $a, array $b): int => $a['ttl'] <=> $b['ttl']);

		return $holders;
	}

	/** "3 of 3 permits are held", if that is why there is no room; else null. */
	public function counted(LockOptions $options): ?string
	{
		$held = array_sum(array_column($this->members($options->key), 'weight'));

		return $options->permits > 1 && $held + $options->weight > $options->permits
			? "$held of $options->permits permits are held" : null;
	}

	public function renew(ArrayHold $hold): void
	{
		$this->renewed[spl_object_id($hold)] = $hold;
	}

	/** It is no longer renewed. */
	public function forget(ArrayHold $hold): void
	{
		unset($this->renewed[spl_object_id($hold)]);
	}

	/** What the caller may enter again. */
	public function entered(string $key): ?ArrayHold
	{
		$hold = ($this->reentrant[$key] ?? null)?->get();

		return $hold !== null && $hold->isHeld() && $hold->isOurFibers() ? $hold : null;
	}

	public function schedule(int $at, \Closure $code): void
	{
		$this->due[] = [$at, $code];
	}

	/** Moves the clock. What is due by then happens on the way, and a loss is told when its renewal would notice it. */
	public function advance(int $to): void
	{
		while (($at = $this->nextEvent()) <= $to) {
			$this->moveTo($at);
			$this->runDue();
		}
		$this->moveTo($to);
	}

	/** Deletes the key; a process-bound lock learns of it at once. */
	public function lose(string $key): void
	{
		unset($this->keys[$key]);
		foreach ($this->renewed as $hold) {
			if ($hold->options->key === $key) {
				$hold->lose(ArrayHold::GONE);
				self::tell($hold);
			}
		}
	}

	/** @return array<string, Member> who has the key now */
	private function members(string $key): array
	{
		return array_filter($this->keys[$key] ?? [], fn (array $member): bool => $member['until'] > $this->now);
	}

	/** As the scripts count: readers do not count anybody, and nobody is beside a holder who is alone. */
	private function hasRoom(LockOptions $options): bool
	{
		$members = $this->members($options->key);
		$ofSet = array_filter(array_column($members, 'set'));

		return $members === [] || $options->isSet() && count($ofSet) === count($members)
			&& ($options->shared || array_sum(array_column($members, 'weight')) + $options->weight <= $options->permits);
	}

	/** @param \Closure(): bool $done whether the wait is over */
	private function wait(string $key, string $name, bool $first, int $wait, \Closure $done): bool
	{
		$deadline = $wait === OptionTable::NEVER ? $wait : $this->now + $wait;
		$this->waiting[$key][] = $first;
		try {
			while (!$done()) {
				if ($this->now >= $deadline) {
					return false;
				}
				$next = min($deadline, $this->nextChance($key));
				if ($next === OptionTable::NEVER) {
					throw new \LogicException("This wait for lock \"$name\" would never end: what holds it is renewed, " .
						'and nothing is due that would release it. See ArrayLockFactory::after().');
				}
				$this->advance($next);
			}
		} finally {
			array_pop($this->waiting[$key]);
		}

		return true;
	}

	private function take(LockOptions $options): ArrayHold
	{
		$until = $options->ttl === 0 ? OptionTable::NEVER : $this->now + $options->ttl;
		$token = $options->token ?? Token::make($options->label);
		$this->keys[$options->key] = [$token => ['until' => $until, 'weight' => $options->weight, 'set' => $options->isSet()]] + $this->members($options->key);
		$hold = new ArrayHold($this, $options, $token);
		if ($options->fence) {
			$hold->fence = $this->fences[$options->key] = ($this->fences[$options->key] ?? 0) + 1;
		}
		if ($options->reentrant) {
			$this->reentrant[$options->key] = \WeakReference::create($hold);
		}
		$hold->begin($until);

		return $hold;
	}

	/** When a key that is taken may have room. */
	private function nextChance(string $key): int
	{
		$ends = array_map(static fn (array $member): int => $member['until'], $this->members($key));
		foreach ($this->renewed as $hold) {
			if ($hold->options->key === $key) {
				unset($ends[$hold->token]);
			}
		}

		return min([$this->nextEvent(), ...array_values($ends)]);
	}

	private function nextEvent(): int
	{
		$losses = array_map(static fn (ArrayHold $hold): int => $hold->losesAt(), $this->renewed);

		return min([OptionTable::NEVER, ...array_column($this->due, 0), ...array_values($losses)]);
	}

	private function runDue(): void
	{
		foreach ($this->due as $i => [$at, $code]) {
			if ($at <= $this->now) {
				unset($this->due[$i]);
				$code();
			}
		}
	}

	private function moveTo(int $to): void
	{
		$to = max($this->now, $to);
		$lost = [];
		foreach ($this->renewed as $hold) {
			$hold->catchUp($to);
			if ($hold->lost !== null) {
				$lost[] = $hold;
			}
		}
		$this->now = $to;
		array_walk($lost, self::tell(...));
	}

	/** Where the extension would interrupt the running code. */
	private static function tell(ArrayHold $hold): void
	{
		if ($hold->options->throwsWhenLost && !$hold->told) {
			$hold->told = true;
			throw Failure::lost($hold->options->name, (string) $hold->lost);
		}
	}
}
