<?php

declare(strict_types=1);

namespace RedisLock\Adapter;

use RedisLock\LockLostException;

/** @internal synchronized() of locks that are made of others. It does what that of RedisLock does. */
trait RunsCode
{
	use NotCopied;

	/** In a run: has release() said whether the lock was ours? Then a result is returned in any case. */
	private bool $told = false;

	public function synchronized(callable $code): mixed
	{
		$run = Callback::under($this, $code, __METHOD__);
		$this->enter();
		$this->told = false;
		$result = $thrown = null;
		try {
			$result = $run();
		} catch (\Throwable $thrown) {
			// It goes on below.
		} finally {
			// Also where the fiber that runs it is destroyed: nothing catches that.
			/** @var bool $told the code may have released the lock */
			$told = $this->told;
			$reason = $this->leave();
		}
		if ($thrown !== null) {
			throw $thrown instanceof LockLostException ? $thrown : Failure::chained($thrown, $this->getName(), $reason);
		}
		if ($reason !== null && !$told && $this->throwsWhenLost()) {
			throw Failure::lost($this->getName(), $reason, [$result]);
		}

		return $result;
	}

	/**
	 * Acquires the lock as process-bound.
	 *
	 * @throws \RedisLock\NotAcquiredException another process has it
	 */
	abstract private function enter(): void;

	/** Releases the lock after enter(). Why it was lost; null: it was not. */
	abstract private function leave(): ?string;

	abstract private function throwsWhenLost(): bool;
}
