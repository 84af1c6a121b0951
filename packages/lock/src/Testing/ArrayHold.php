<?php

declare(strict_types=1);

namespace RedisLock\Testing;

use RedisLock\Adapter\LockOptions;
use RedisLock\Adapter\OptionTable;

/** @internal One acquisition of a lock in memory. Reentrant locks share one. */
final class ArrayHold
{
	public const GONE = 'its key was deleted or has another owner';

	/** How often it was entered; 0: nobody is in it any more. */
	public int $entries = 1;
	public ?int $fence = null;
	/** Why it is no longer ours, once that is known and until it is let go. */
	public ?string $lost = null;
	/** The same for good: whatever the callable threw instead says so. */
	public ?string $reason = null;
	/** Has somebody been told of the loss? */
	public bool $told = false;
	/** Taken over by its token, and not confirmed yet. */
	public bool $restored = false;
	public int $acquiredAt = 0;
	public int $validUntil = 0;
	public int $ttl;
	public int $renewsAt = OptionTable::NEVER;
	/** Is it shared, or was it, before an upgrade? */
	public bool $shared;
	/** @var \WeakReference<object>|null null: it was acquired outside of fibers */
	private readonly ?\WeakReference $fiber;

	public function __construct(
		private readonly ArrayServer $server,
		public readonly LockOptions $options,
		public readonly string $token
	) {
		$this->ttl = $options->ttl;
		$this->shared = $options->shared;
		$fiber = \Fiber::getCurrent();
		$this->fiber = $fiber === null ? null : \WeakReference::create($fiber);
	}

	/** Was it acquired in the fiber that runs now? */
	public function isOurFibers(): bool
	{
		$fiber = \Fiber::getCurrent();

		return $fiber === null ? $this->fiber === null : $this->fiber?->get() === $fiber;
	}

	public function isHeld(): bool
	{
		return $this->entries > 0 && !$this->restored && $this->lost === null && $this->validUntil > $this->server->now();
	}

	public function isOurs(): bool
	{
		return $this->server->has($this->options->key, $this->token);
	}

	/** It is ours from now on. */
	public function begin(int $validUntil): void
	{
		$this->restored = false;
		$this->acquiredAt = $this->server->now();
		$this->validUntil = $validUntil;
		if ($this->options->renew) {
			$this->renewsAt = $this->acquiredAt + $this->interval();
			$this->server->renew($this);
		}
	}

	/** Makes the ttl $ttl from now; false: it is not ours. */
	public function extend(int $ttl): bool
	{
		$validUntil = $ttl === 0 ? OptionTable::NEVER : $this->server->now() + $ttl;
		if (!$this->server->expire($this->options->key, $this->token, $validUntil)) {
			return false;
		}
		[$this->ttl, $this->validUntil] = [$ttl, $validUntil];
		if ($this->restored) {
			$this->begin($validUntil);
		} elseif ($this->options->renew) {
			$this->renewsAt = min($this->renewsAt, $this->server->now() + $this->interval());
		}

		return true;
	}

	/** When max_hold is over. */
	public function endsAt(): int
	{
		return $this->options->maxHold === OptionTable::NEVER ? OptionTable::NEVER : $this->acquiredAt + $this->options->maxHold;
	}

	/** When it will be known to be lost, as things are now. */
	public function losesAt(): int
	{
		return $this->isOurs() ? $this->endsAt() : min($this->endsAt(), $this->renewsAt);
	}

	/** Does what the renewal child will have done by then, before the clock says so. */
	public function catchUp(int $then): void
	{
		$until = min($then, $this->endsAt() - 1);
		if ($this->renewsAt <= $until) {
			$last = $until - ($until - $this->renewsAt) % $this->interval();
			if (!$this->server->expire($this->options->key, $this->token, $last + $this->ttl)) {
				$this->lose(self::GONE);
				return;
			}
			[$this->validUntil, $this->renewsAt] = [$last + $this->ttl, $last + $this->interval()];
		}
		if ($this->endsAt() <= $then) {
			$this->lose('max_hold is over');
		}
	}

	public function lose(string $reason): void
	{
		$this->lost ??= $reason;
		$this->reason ??= $reason;
		$this->server->forget($this);
	}

	/** Frees the key, or puts it at rest for what is left of hold_at_least; false: it is not ours. */
	public function release(): bool
	{
		$this->server->forget($this);
		$this->entries = 0;
		if ($this->lost !== null || !$this->isOurs()) {
			$this->reason ??= self::GONE;
			$this->lost = null; // whoever has let go has nothing left to lose

			return false;
		}
		$until = $this->restored ? 0 : $this->acquiredAt + $this->options->holdAtLeast;
		$this->server->free($this->options->key, $this->token, $until);

		return true;
	}

	/** Why it cannot be entered with these options: what they would promise, and this hold does not. */
	public function weakness(LockOptions $asked): ?string
	{
		$without = static fn (string $option): string => "was acquired without the \"$option\" asked for now";

		return match (true) {
			$asked->renew && !$this->options->renew => $without('renew'),
			$asked->renew && $asked->throwsWhenLost && !$this->options->throwsWhenLost => $without('on_lost'),
			$asked->renew && $asked->maxHold < $this->options->maxHold => $without('max_hold'),
			$asked->renew && $asked->linger > $this->options->linger => $without('linger'),
			$asked->shared !== $this->shared => 'is held by this process with another "shared" than asked for now',
			$asked->permits !== $this->options->permits || $asked->weight !== $this->options->weight => 'is held by this process with other "permits" than asked for now',
			$asked->fence && !$this->options->fence => $without('fence'),
			$asked->holdAtLeast > $this->options->holdAtLeast => $without('hold_at_least'),
			$asked->ttl === 0 && $this->ttl > 0 && !$this->options->renew => $without('ttl'),
			default => null,
		};
	}

	private function interval(): int
	{
		return max(1, min($this->options->interval, intdiv($this->ttl, 2)));
	}
}
