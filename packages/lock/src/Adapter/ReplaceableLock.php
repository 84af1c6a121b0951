<?php

declare(strict_types=1);

namespace RedisLock\Adapter;

use RedisLock\ConnectionException;
use RedisLock\Lock;

/**
 * A lock of a factory with whenUnavailable(): each acquisition is the server's, or, if that cannot be asked, what was said to take
 * its place.
 *
 * @internal made by LockFactory
 */
final class ReplaceableLock implements Lock, \Stringable
{
	use NotCopied;

	private Lock $lock;
	/** Why the last acquisition was skipped. */
	public ?ConnectionException $skipped = null;

	/** @param array<string, mixed> $options of the lock, as far as Unavailable::OPTIONS */
	public function __construct(private readonly Lock $first, private readonly array $options, private readonly Unavailable $unavailable)
	{
		$this->lock = $first;
	}

	/** @param float|bool|null $wait a bool is refused: true would be a second */
	#[\NoDiscard]
	public function acquire(float|bool|null $wait = null): bool
	{
		// @phpstan-ignore argument.type (the lock says what is wrong)
		return $this->choose(static fn (Lock $lock, float $waited): bool => $lock->acquire(is_float($wait) ? Unavailable::left($wait, $waited) : $wait), static fn (): bool => false);
	}

	public function synchronized(callable $code): mixed
	{
		$run = Callback::under($this, $code, __METHOD__);
		$entered = false;
		$enter = static function () use ($run, &$entered): mixed {
			$entered = true;

			return $run();
		};

		return $this->choose(static fn (Lock $lock): mixed => $lock->synchronized($enter),
			fn (ConnectionException $trouble): never => throw Failure::skipped($this->getName(), $trouble), $entered);
	}

	#[\NoDiscard]
	public function keepAlive(?float $ttl = null): bool
	{
		return $this->lock->keepAlive($ttl);
	}

	public function release(): bool
	{
		return $this->lock->release();
	}

	public function isHeld(): bool
	{
		return $this->lock->isHeld();
	}

	public function isAcquired(): bool
	{
		return $this->lock->isAcquired();
	}

	public function remaining(): float
	{
		return $this->lock->remaining();
	}

	public function getName(): string
	{
		return $this->first->getName();
	}

	public function getFence(): ?int
	{
		return $this->lock->getFence();
	}

	public function __toString(): string
	{
		return $this->lock instanceof \Stringable ? (string) $this->lock : $this->getName();
	}

	/**
	 * @template T
	 * @param \Closure(Lock, float): T $use is told how many seconds of the wait are over
	 * @param \Closure(ConnectionException): T $skip
	 * @param bool $entered whether the code runs: its own trouble is not that of the acquisition
	 * @return T
	 */
	private function choose(\Closure $use, \Closure $skip, bool &$entered = false): mixed
	{
		if ($this->lock->isHeld()) {
			return $use($this->lock, 0.0);
		}
		[$since, $this->lock, $this->skipped] = [hrtime(true), $this->first, null];
		$trouble = $this->unavailable->trouble();
		if ($trouble === null) {
			try {
				return $use($this->first, 0.0);
			} catch (ConnectionException $e) {
				/** @var bool $entered by reference */
				$trouble = $entered ? throw $e : $this->unavailable->begin($e);
			}
		}
		$waited = (hrtime(true) - $since) / 1e9;
		$instead = $this->unavailable->instead($this->getName(), $this->options, $waited, $trouble);
		if ($instead === null) {
			return $skip($this->skipped = $trouble);
		}

		return $use($this->lock = $instead, $waited);
	}
}
