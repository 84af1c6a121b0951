<?php
/*
 * Made from redislock.stub.php by scripts/dev/api.php, for code that runs without the extension.
 */

namespace RedisLock;

/**
 * A lock that is managed from outside, too: by an operator who asks who has it and may end it, and by code that hands it on to
 * another process. RedisLock is one. Later versions may add methods here, and never to Lock.
 */
interface ManagedLock extends Lock
{
	/**
	 * Deletes the lock, whoever holds it. false: nobody held it. With a token it ends that hold alone.
	 *
	 * @throws \RedisLock\Exception not confirmed
	 */
	public function forceRelease(#[\SensitiveParameter] ?string $token = null): bool;

	/**
	 * Says who holds the lock now. null: nobody.
	 *
	 * @phpstan-return array{token: string, host: ?string, pid: ?int, label: ?string, ttl: ?float, waited: bool,
	 *     resting: bool}|null
	 * @throws \RedisLock\Exception the server could not be asked
	 */
	public function holder(): ?array;

	/**
	 * Says who all hold it now: several only if it has permits, or is shared.
	 *
	 * @phpstan-return list<array{token: string, host: ?string, pid: ?int, label: ?string, ttl: ?float, waited: bool,
	 *     resting: bool}>
	 * @throws \RedisLock\Exception the server could not be asked
	 */
	public function holders(): array;

	/**
	 * Has one who shares the lock hold it alone. false: others share it.
	 *
	 * @throws \LogicException the lock has permits
	 * @throws \RedisLock\Exception trouble with the server: it is held, alone or shared
	 */
	public function upgrade(): bool;

	/**
	 * Has the only holder share the lock from now on. false: not held, or no longer ours.
	 *
	 * @throws \LogicException the lock cannot be shared
	 * @throws \RedisLock\Exception not confirmed
	 */
	public function downgrade(): bool;

	/**
	 * Gives the lock away, and returns the token with which another process can take it over.
	 *
	 * @throws \LogicException the lock is not held
	 * @throws \RedisLock\LockLostException the lock is no longer ours
	 * @throws \RedisLock\Exception its ttl could not be confirmed
	 */
	public function detach(): string;

	/** The token while the lock is held or restored, else null. */
	public function getToken(): ?string;
}
