<?php

declare(strict_types=1);

namespace RedisLock\Testing;

use RedisLock\Adapter\Failure;
use RedisLock\Adapter\LockOptions;

/**
 * The keys of all locks of an ArrayLockFactory, and the clock by which they expire. Times are ms.
 *
 * @internal
 */
final class ArrayServer
{
	private int $now = 0;
	/** @var array<string, array{token: string, label: ?string, ours: bool, until: int, resting: bool}> */
	private array $keys = [];
	/** @var array<string, int> */
	private array $fences = [];
	/** @var array<string, int> how many wait for a key */
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

	/** Whose key it is; null: it is free. */
	public function token(string $key): ?string
	{
		return ($this->keys[$key]['until'] ?? 0) > $this->now ? $this->keys[$key]['token'] : null;
	}

	/** @return list<string> the keys there are */
	public function keys(): array
	{
		return array_values(array_filter(array_map(strval(...), array_keys($this->keys)), fn ($key) => $this->token($key) !== null));
	}

	/** Takes the lock, waiting for $wait if somebody else has it: the clock goes on meanwhile. null: he had it all that time. */
	public function acquire(LockOptions $options, int $wait): ?ArrayHold
	{
		$key = $options->key;
		$deadline = $wait === LockOptions::NEVER ? $wait : $this->now + $wait;
		$this->waiting[$key] = ($this->waiting[$key] ?? 0) + 1;
		try {
			while ($this->token($key) !== null) {
				if ($this->now >= $deadline) {
					return null;
				}
				$next = min($deadline, $this->nextChance($key));
				if ($next === LockOptions::NEVER) {
					throw new \LogicException("This wait for lock \"$options->name\" would never end: what holds it is renewed, " .
						'and nothing is due that would release it. See ArrayLockFactory::after().');
				}
				$this->advance($next);
			}
		} finally {
			$this->waiting[$key]--;
		}

		return $this->take($options);
	}

	/** Sets when the key expires, if it is still the token's. */
	public function expire(string $key, string $token, int $until): bool
	{
		if ($this->token($key) !== $token) {
			return false;
		}
		$this->keys[$key]['until'] = $until;

		return true;
	}

	/** When the key expires; 0: it is not there. */
	public function until(string $key): int
	{
		return $this->token($key) !== null ? $this->keys[$key]['until'] : 0;
	}

	/** Deletes the key, or leaves it at rest until $until. False: nobody had it. */
	public function free(string $key, int $until = 0): bool
	{
		if ($this->token($key) === null) {
			return false;
		}
		if ($until > $this->now) {
			$this->keys[$key] = ['token' => self::newToken(null) . ':done', 'ours' => true, 'until' => $until, 'resting' => true]
				+ $this->keys[$key];
		} else {
			unset($this->keys[$key]);
		}

		return true;
	}

	/** @return array{token: string, host: ?string, pid: ?int, label: ?string, ttl: ?float, waited: bool, resting: bool}|null */
	public function holder(string $key): ?array
	{
		if ($this->token($key) === null) {
			return null;
		}
		['token' => $token, 'label' => $label, 'ours' => $ours, 'until' => $until, 'resting' => $resting] = $this->keys[$key];

		return [
			'token' => $token,
			'host' => $ours ? (string) gethostname() : null,
			'pid' => $ours ? (int) getmypid() : null,
			'label' => $ours ? $label : null,
			'ttl' => $until === LockOptions::NEVER ? null : ($until - $this->now) / 1000.0,
			'waited' => ($this->waiting[$key] ?? 0) > 0,
			'resting' => $resting,
		];
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

		return $hold !== null && $hold->isHeld() && $hold->fiber === \Fiber::getCurrent() ? $hold : null;
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

	/** In the format of the extension. */
	public static function newToken(?string $label): string
	{
		return implode(':', ['rlk1', gethostname(), getmypid(), $label, bin2hex(random_bytes(16))]);
	}

	private function take(LockOptions $options): ArrayHold
	{
		$until = $options->ttl === 0 ? LockOptions::NEVER : $this->now + $options->ttl;
		$token = $options->token ?? self::newToken($options->label);
		$this->keys[$options->key] = ['token' => $token, 'label' => $options->label, 'ours' => str_starts_with($token, 'rlk1:'),
			'until' => $until, 'resting' => false];
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

	/** When a key that is taken may become free. */
	private function nextChance(string $key): int
	{
		foreach ($this->renewed as $hold) {
			if ($hold->options->key === $key && $hold->isOurs()) {
				return $this->nextEvent();
			}
		}

		return min($this->nextEvent(), $this->keys[$key]['until']);
	}

	private function nextEvent(): int
	{
		$losses = array_map(static fn (ArrayHold $hold): int => $hold->losesAt(), $this->renewed);

		return min([LockOptions::NEVER, ...array_column($this->due, 0), ...array_values($losses)]);
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
