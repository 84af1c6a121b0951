<?php

declare(strict_types=1);

namespace RedisLock\Adapter;

use RedisLock\Exception;
use RedisLock\Lock;
use RedisLock\Locks;
use RedisLock\ManagedLock;

/**
 * @internal Several names as one lock: acquired one after the other in the order of their names, so that two who want some of the same
 * names never wait for each other; all of them or none; and lost when one of them is.
 * @phpstan-import-type Options from \RedisLock
 */
final class AllLocks implements Lock, \Stringable
{
	use RunsCode;

	private const LOST = 'one of them is no longer ours';

	/** @var non-empty-list<string> sorted, each once */
	private readonly array $names;
	/** Of each of the locks. Not a plain array: dumps must not show what is in it. */
	private readonly \SensitiveParameterValue $options;
	/** @var list<Lock> */
	private readonly array $configured;
	/** @var list<Lock>|null process-bound, in a run */
	private ?array $bound = null;
	/** In a run: has the callable neither released nor lost them? */
	private bool $entered = false;
	private ?string $lost = null;

	/**
	 * @param array<string> $names
	 * @param Options $options of each of the locks
	 * @param LockOptions $settings what each of them is made with
	 * @param \Closure(): float $clock seconds
	 */
	public function __construct(
		private readonly Locks $factory,
		array $names,
		#[\SensitiveParameter] array $options,
		private readonly LockOptions $settings,
		private readonly \Closure $clock
	) {
		foreach (['name', 'fence', 'token', 'reentrant'] as $option) {
			if (isset($options[$option])) {
				throw new \ValueError("Option \"$option\" cannot be used with all(): it is about a single name.");
			}
		}
		$names = array_values(array_unique(array_map(static fn (string $name): string => $name, $names)));
		if ($names === []) {
			throw new \ValueError(Locks::class . '::all(): Argument #1 ($names) must not be empty');
		}
		sort($names, SORT_STRING);
		[$this->names, $this->options] = [$names, new \SensitiveParameterValue($options)];
		$this->configured = $this->make([]);
	}

	/**
	 * @param array{renew?: true} $more
	 * @return list<Lock>
	 */
	private function make(array $more): array
	{
		/** @var Options $options */
		$options = $this->options->getValue();

		return array_map(fn (string $name): Lock => $this->factory->lock($name, $more + $options), $this->names);
	}

	/** @param float|bool|null $wait a bool is refused: true would be a second */
	#[\NoDiscard]
	public function acquire(float|bool|null $wait = null): bool
	{
		$wait = OptionTable::waitArgument($wait, __METHOD__) ?? OptionTable::toSeconds($this->settings->wait);
		$this->checkFree();
		self::giveUp($this->locks()); // what is left after the loss of one

		return $this->entered = $this->acquireAll($this->locks(), $wait) === null;
	}

	#[\NoDiscard]
	public function keepAlive(?float $ttl = null): bool
	{
		return $this->allOrNone(static fn (Lock $lock): bool => $lock->keepAlive($ttl));
	}

	public function release(): bool
	{
		[$entered, $this->entered, $this->told] = [$this->entered, false, true];
		$trouble = null;
		$released = true;
		foreach (array_reverse($this->locks()) as $lock) {
			try {
				$released = $lock->release() && $released;
			} catch (Exception $e) {
				$trouble ??= $e;
			}
		}
		if ($trouble !== null) {
			throw $trouble;
		}
		if ($entered && !$released) {
			$this->lost = self::LOST;
		}

		return $released;
	}

	public function isHeld(): bool
	{
		return $this->all(static fn (Lock $lock): bool => $lock->isHeld());
	}

	public function isAcquired(): bool
	{
		return $this->allOrNone(static fn (Lock $lock): bool => $lock->isAcquired());
	}

	public function remaining(): float
	{
		$remaining = INF;
		foreach ($this->locks() as $lock) {
			$remaining = min($remaining, $lock->remaining());
		}

		return $remaining;
	}

	public function getName(): string
	{
		return implode(', ', $this->names);
	}

	/** Always null: each name would have a number of its own. */
	public function getFence(): ?int
	{
		return null;
	}

	public function __toString(): string
	{
		return implode(', ', array_map(static fn (Lock $lock): string => $lock instanceof \Stringable ? (string) $lock
			: $lock->getName(), $this->locks()));
	}

	private function enter(): void
	{
		$this->checkFree();
		$settings = $this->settings->bound();
		$bound = $this->make(['renew' => true]);
		$missing = $this->acquireAll($bound, OptionTable::toSeconds($settings->wait));
		if ($missing instanceof ReplaceableLock && $missing->skipped !== null) {
			throw Failure::skipped($missing->getName(), $missing->skipped);
		}
		if ($missing !== null) {
			throw Failure::notAcquired($missing->getName(), self::holder($missing));
		}
		[$this->bound, $this->entered, $this->lost] = [$bound, true, null];
	}

	private function leave(): ?string
	{
		$valid = $this->isHeld();
		try {
			return !$this->entered || $this->release() ? $this->lost : $this->lost ?? self::LOST;
		} catch (Exception $e) {
			if (!$valid) {
				return "one of them could not be confirmed: {$e->getMessage()}";
			}
			// The work is done and was exclusive; the renewal child goes on trying.
			Failure::warn("locks \"{$this->getName()}\": the release could not be confirmed: {$e->getMessage()}");

			return null;
		} finally {
			$this->bound = null;
			$this->entered = false;
		}
	}

	private function throwsWhenLost(): bool
	{
		return $this->settings->throwsWhenLost;
	}

	/**
	 * Until $wait seconds are over, for all of them together.
	 *
	 * @param list<Lock> $locks
	 * @return Lock|null the one that could not be had; null: all are acquired. Else none is
	 */
	private function acquireAll(array $locks, float $wait): ?Lock
	{
		$deadline = ($this->clock)() + $wait;
		try {
			do {
				$missing = null;
				foreach ($locks as $lock) {
					$left = $deadline - ($this->clock)();
					if (!$lock->acquire($left < 0.001 ? 0.0 : $left)) {
						self::giveUp($locks);

						return $lock;
					}
				}
				// The ttl of those acquired first has run while the others were waited for.
				foreach ($locks as $lock) {
					if ($lock->remaining() < end($locks)->remaining() * 0.9 && !$lock->keepAlive()) {
						$missing = $lock;
						self::giveUp($locks);
						break;
					}
				}
			} while ($missing !== null && ($this->clock)() < $deadline);
		} catch (\Throwable $e) {
			self::giveUp($locks);
			throw $e;
		}

		return $missing;
	}

	private function checkFree(): void
	{
		if ($this->bound !== null || $this->isHeld()) {
			throw Failure::misuse($this->getName(), 'is already held by this object');
		}
	}

	/**
	 * Whether all of them are still ours. If one is lost, the others are let go.
	 *
	 * @param \Closure(Lock): bool $is asks the server of one
	 */
	private function allOrNone(\Closure $is): bool
	{
		$are = $this->all($is);
		if (!$are && $this->entered) {
			[$this->entered, $this->lost] = [false, self::LOST];
			self::giveUp($this->locks());
		}

		return $are;
	}

	/** @param list<Lock> $locks */
	private static function giveUp(array $locks): void
	{
		foreach (array_reverse($locks) as $lock) {
			try {
				$lock->release();
			} catch (Exception) {
				// It ends with its ttl.
			}
		}
	}

	/** @return array{host: string|null, pid: int|null, resting: bool, ...}|null */
	private static function holder(Lock $lock): ?array
	{
		try {
			return $lock instanceof ManagedLock ? $lock->holder() : null;
		} catch (Exception) {
			return null;
		}
	}

	/** @return list<Lock> */
	private function locks(): array
	{
		return $this->bound ?? $this->configured;
	}

	/** @param \Closure(Lock): bool $is */
	private function all(\Closure $is): bool
	{
		foreach ($this->locks() as $lock) {
			if (!$is($lock)) {
				return false;
			}
		}

		return true;
	}
}
