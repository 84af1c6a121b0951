<?php
/*
 * Made from redislock.stub.php by scripts/dev/api.php, for code that runs without the extension.
 */

namespace RedisLock;

/**
 * What code that works under a lock needs of it. Use it as a type in your code, and test that code with a lock that needs no
 * server. RedisLock describes each method in full.
 */
interface Lock
{
	/**
	 * Acquires the lock. false: another process had it all that time.
	 *
	 * @param float|null $wait seconds. 0: one try. INF: no limit. null: as configured
	 * @throws \LogicException this object already holds the lock
	 * @throws \ValueError $wait is out of range
	 * @throws \RedisLock\Exception trouble with the server; nothing stays locked
	 */
	#[\NoDiscard]
	public function acquire(?float $wait = null): bool;

	/**
	 * Sets the ttl to $ttl seconds from now. false: not held, or no longer ours.
	 *
	 * @throws \ValueError $ttl is out of range
	 * @throws \RedisLock\Exception not confirmed
	 */
	#[\NoDiscard]
	public function keepAlive(?float $ttl = null): bool;

	/**
	 * Frees the lock. false: not held, or no longer ours.
	 *
	 * @throws \RedisLock\Exception not confirmed
	 */
	public function release(): bool;

	/**
	 * Runs $code under this lock and returns what it returns.
	 *
	 * @template T
	 * @phpstan-param callable(Lock): T $code
	 * @phpstan-return T
	 * @throws \ValueError|\LogicException $code cannot be run under a lock
	 * @throws \RedisLock\NotAcquiredException another process has the lock
	 * @throws \RedisLock\LockLostException the lock was lost before $code returned
	 * @throws \RedisLock\Exception trouble with the server, before $code runs
	 */
	public function synchronized(callable $code): mixed;

	/** Whether the lock is held and its validity is not over. It does not ask the server. */
	public function isHeld(): bool;

	/**
	 * Asks the server whether the lock is ours.
	 *
	 * @throws \RedisLock\Exception the server could not be asked
	 */
	public function isAcquired(): bool;

	/** Seconds of validity left. 0.0: none. INF: a lock without expiry. */
	public function remaining(): float;

	/** The configured name, without prefix. */
	public function getName(): string;

	/** The fencing number of this acquisition, else null. */
	public function getFence(): ?int;
}
