<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use Illuminate\Contracts\Cache\Lock;

/** A lock that lives until it is released or until its process ends: what Cache::processLock() returns on every store. */
interface BoundLock extends Lock
{
	/**
	 * Asks the server whether the lock is still ours.
	 *
	 * @param int|float|string|null $seconds how long the key stays from now on if the whole machine vanishes; null: as before
	 * @return bool false: not held, or lost
	 */
	public function refresh($seconds = null);

	/** Has every acquisition from here on get a number, see fence(). That is one more key on the server. */
	public function withFence(): static;

	/**
	 * The number of this acquisition, which is larger than all earlier ones of this name. Whoever stores what is written under
	 * the lock can refuse a smaller number. null: not held, or without withFence().
	 */
	public function fence(): ?int;
}
