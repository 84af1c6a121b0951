<?php

declare(strict_types=1);

namespace RedisLock\Testing;

use RedisLock\Adapter\Callback;
use RedisLock\Adapter\Failure;
use RedisLock\Adapter\LockOptions;
use RedisLock\Adapter\NotCopied;
use RedisLock\Adapter\OptionTable;
use RedisLock\ManagedLock;

/** A lock of an ArrayLockFactory: what RedisLock can do with its configured name, in memory. */
final class ArrayLock implements ManagedLock, \Stringable
{
	use NotCopied;

	private ?ArrayHold $hold = null;
	/** How often this lock has entered the hold. */
	private int $entries = 0;

	/** @internal made by ArrayLockFactory */
	public function __construct(
		private readonly ArrayServer $server,
		private readonly LockOptions $options,
		#[\SensitiveParameter] ?string $restored = null
	) {
		if ($restored !== null) {
			$this->hold = new ArrayHold($server, $options, $restored);
			$this->hold->restored = true;
			$this->entries = 1;
		}
	}

	/** A process-bound lock ends with its object; a lease stays. */
	public function __destruct()
	{
		if ($this->hold !== null) {
			$this->hold->entries -= $this->entries;
			if ($this->hold->entries === 0 && $this->hold->options->renew && !$this->hold->restored) {
				$this->hold->release();
			}
		}
	}

	/** @param float|bool|null $wait a bool is refused: true would be a second */
	#[\NoDiscard]
	public function acquire(float|bool|null $wait = null): bool
	{
		$wait = OptionTable::waitArgument($wait, __METHOD__);
		$ms = $wait === null ? $this->options->wait : OptionTable::toMs($wait, true, true, '');

		return $this->enter($this->options, $ms);
	}

	#[\NoDiscard]
	public function keepAlive(?float $ttl = null): bool
	{
		$ms = $ttl === null ? null : OptionTable::toMs($ttl, true, false, __METHOD__ . '(): Argument #1 ($ttl)');
		$options = $this->hold->options ?? $this->options;
		if ($ms === 0 && ($options->renew || $options->holdAtLeast > 0 || $options->fence || $options->isSet() || $this->hold?->shared === true)) {
			throw new \ValueError(__METHOD__ . '(): Argument #1 ($ttl) may be 0 only for a lease on one server, without hold_at_least and fence');
		}
		$hold = $this->entered();
		if ($hold === null || $hold->lost !== null) {
			return false;
		}
		if ($hold->extend($ms ?? $hold->ttl)) {
			return true;
		}
		$this->end($hold);

		return false;
	}

	public function release(): bool
	{
		$hold = $this->entered();
		if ($hold === null) {
			return false;
		}
		if ($hold->entries > 1 && $hold->isHeld()) {
			$this->entries--;
			$hold->entries--;

			return true;
		}
		$this->letGo();

		return $hold->release();
	}

	public function synchronized(callable $code): mixed
	{
		$run = Callback::under($this, $code, __METHOD__);
		$options = $this->options->bound();
		if (!$this->enter($options, $options->wait) || $this->hold === null) {
			throw Failure::notAcquired($this->options->name, $this->holder(), $this->server->counted($options));
		}
		$hold = $this->hold;
		$result = $thrown = null;
		try {
			$result = $run();
		} catch (\Throwable $thrown) {
			// It goes on below.
		} finally {
			// Also where the fiber that runs it is destroyed: nothing catches that.
			$lost = $this->leave($hold);
		}
		if ($thrown !== null) {
			throw Failure::chained($thrown, $hold->options->name, $hold->reason);
		}
		if ($lost !== null && $options->throwsWhenLost) {
			throw Failure::lost($options->name, $lost, [$result]);
		}

		return $result;
	}

	public function isHeld(): bool
	{
		return $this->held() !== null;
	}

	public function isAcquired(): bool
	{
		$hold = $this->entered();
		if ($hold === null || $hold->lost !== null) {
			return false;
		}
		if (!$hold->isOurs()) {
			$this->end($hold);

			return false;
		}
		$until = $this->server->until($this->options->key, $hold->token);
		if ($hold->restored) {
			$hold->begin($until);
		}
		$hold->validUntil = $until;

		return true;
	}

	public function remaining(): float
	{
		$until = $this->held()->validUntil ?? $this->server->now();

		return $until === OptionTable::NEVER ? INF : ($until - $this->server->now()) / 1000;
	}

	public function forceRelease(#[\SensitiveParameter] ?string $token = null): bool
	{
		$token === null || OptionTable::token($token);
		$hold = $this->held();
		if ($hold?->entries === $this->entries && ($token === null || $hold->token === $token)) {
			$this->server->forget($hold);
			$this->letGo();
		}

		return $this->server->free($this->options->key, $token);
	}

	public function holder(): ?array
	{
		return $this->holders()[0] ?? null;
	}

	public function holders(): array
	{
		return $this->server->holders($this->options->key);
	}

	public function upgrade(): bool
	{
		$this->refusePermits();
		$hold = $this->held();

		return $hold !== null && (!$hold->shared || $this->server->share($this->options->key, $hold->token, false));
	}

	public function downgrade(): bool
	{
		$this->refusePermits();
		$hold = $this->held();
		if ($hold === null) {
			return false;
		}
		if ($hold->validUntil === OptionTable::NEVER) {
			throw Failure::misuse($this->options->name, 'has no expiry, and cannot be shared');
		}
		if ($hold->entries > 1) {
			throw Failure::misuse($this->options->name, 'was entered again, and cannot be shared: the code outside may rely on having it alone');
		}
		if (!$this->server->share($this->options->key, $hold->token, true)) {
			$this->end($hold);

			return false;
		}

		return $hold->shared = true;
	}

	public function detach(): string
	{
		$hold = $this->held() ?? throw Failure::misuse($this->options->name, 'is not held by this object');
		$this->server->forget($hold);
		$hold->entries = 0;
		$this->letGo();

		return $hold->token;
	}

	public function getName(): string
	{
		return $this->options->name;
	}

	public function getToken(): ?string
	{
		$hold = $this->entered();

		return $hold?->restored || $hold?->isHeld() ? $hold->token : null;
	}

	public function getFence(): ?int
	{
		return $this->held()?->fence;
	}

	public function __toString(): string
	{
		return $this->options->name . '[' . ($this->held()->ttl ?? $this->options->ttl) / 1000 . ']';
	}

	private function refusePermits(): void
	{
		if ($this->options->permits > 1) {
			throw Failure::misuse($this->options->name, 'has permits: it can be neither upgraded nor downgraded, as a lock that is shared can');
		}
	}

	private function enter(LockOptions $options, int $wait): bool
	{
		$entered = $options->reentrant ? $this->server->entered($options->key) : null;
		if ($entered !== null && ($entered === $this->hold || !$this->isHeld()) && $this->enterAgain($entered, $options)) {
			return true;
		}
		if ($this->isHeld()) {
			throw Failure::misuse($options->name, 'is already held by this object');
		}
		$this->letGo();
		$this->hold = $this->server->acquire($options, $wait);
		$this->entries = $this->hold === null ? 0 : 1;

		return $this->hold !== null;
	}

	/** False: it turns out to be lost. */
	private function enterAgain(ArrayHold $entered, LockOptions $options): bool
	{
		$weakness = $entered->weakness($options);
		if ($weakness !== null) {
			throw Failure::misuse($options->name, "$weakness, so it cannot be entered again");
		}
		// Who enters has at least half of his own ttl.
		if ($entered->validUntil - $this->server->now() < intdiv($options->ttl, 2) && !$entered->extend(max($options->ttl, $entered->ttl))) {
			$entered->lose(ArrayHold::GONE);

			return false;
		}
		if ($this->hold !== $entered) {
			$this->letGo();
			$this->hold = $entered;
		}
		$this->entries++;
		$entered->entries++;

		return true;
	}

	/** The callable is over; unless it has let go itself, its lock is released. Returns why it was lost, if it was. */
	private function leave(ArrayHold $hold): ?string
	{
		$lost = $hold->lost;
		if ($this->hold !== $hold || $this->entries === 0) {
			return $lost;
		}
		if ($hold->entries > 1) {
			$this->entries--;
			$hold->entries--;

			return $lost;
		}

		return $this->release() ? null : $lost ?? ArrayHold::GONE;
	}

	/** The key is not ours. A process-bound lock remembers that, for whoever runs under it. */
	private function end(ArrayHold $hold): void
	{
		if ($hold->options->renew) {
			$hold->lose(ArrayHold::GONE);
		} else {
			$this->letGo();
		}
	}

	/** What this lock is in, lost or not, and has not been given away by another one. */
	private function entered(): ?ArrayHold
	{
		return $this->entries > 0 && $this->hold?->entries > 0 ? $this->hold : null;
	}

	private function held(): ?ArrayHold
	{
		$hold = $this->entered();

		return $hold?->isHeld() ? $hold : null;
	}

	private function letGo(): void
	{
		$this->hold = null;
		$this->entries = 0;
	}
}
