<?php
/*
 * Made from redislock.stub.php by scripts/dev/api.php, for code that runs without the extension.
 */

namespace RedisLock;

/**
 * One lock of one name: what RedisLock can do with its configured name. Type your code against it, and test it with
 * a lock that needs no server. What each method promises in full stands with RedisLock.
 */
interface Lock
{
	/**
	 * Takes the lock; false: somebody else had it all that time.
	 *
	 * @param float|null $wait seconds: 0 one try, INF no limit, null as configured
	 * @throws \LogicException it is held by this object already
	 * @throws \ValueError $wait is out of range
	 * @throws \RedisLock\Exception trouble with the server; nothing stays locked
	 */
	public function acquire(?float $wait = null): bool;

	/**
	 * Sets the ttl to $ttl seconds from now; false: not held, or no longer ours.
	 *
	 * @throws \ValueError $ttl is out of range
	 * @throws \RedisLock\Exception not confirmed
	 */
	public function keepAlive(?float $ttl = null): bool;

	/**
	 * Frees the lock; false: not held, or no longer ours.
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
	 * @throws \RedisLock\NotAcquiredException somebody else has it
	 * @throws \RedisLock\LockLostException it was lost before $code returned
	 * @throws \RedisLock\Exception trouble with the server, before $code runs
	 */
	public function synchronized(callable $code): mixed;

	/** Is the lock held and its validity not over? Asks nobody. */
	public function isHeld(): bool;

	/**
	 * Asks the server whether the lock is ours.
	 *
	 * @throws \RedisLock\Exception the server could not be asked
	 */
	public function isAcquired(): bool;

	/** Seconds of validity left, 0.0 when none, INF for a lock without expiry. */
	public function remaining(): float;

	/**
	 * Deletes the lock, whoever holds it; false: nobody did.
	 *
	 * @throws \RedisLock\Exception not confirmed
	 */
	public function forceRelease(): bool;

	/**
	 * Who holds it now? null: nobody.
	 *
	 * @phpstan-return array{token: string, host: ?string, pid: ?int, label: ?string, ttl: ?float, waited: bool,
	 *     resting: bool}|null
	 * @throws \RedisLock\Exception the server could not be asked
	 */
	public function holder(): ?array;

	/**
	 * Gives the lock away, and the token with which it can be taken over.
	 *
	 * @throws \LogicException it is not held
	 * @throws \RedisLock\LockLostException it is no longer ours
	 * @throws \RedisLock\Exception its ttl could not be confirmed
	 */
	public function detach(): string;

	/** The configured name, without prefix. */
	public function getName(): string;

	/** The token while held or restored, else null. */
	public function getToken(): ?string;

	/** The fencing number of this acquisition, else null. */
	public function getFence(): ?int;
}
