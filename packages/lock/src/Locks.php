<?php

declare(strict_types=1);

namespace RedisLock;

/**
 * Makes locks by name. LockFactory makes those of a server, LockFactory::local() those of one machine: code that takes either has
 * this type.
 *
 * @phpstan-import-type Options from \RedisLock as Parameters
 */
interface Locks
{
	/**
	 * Creates a lock that is not acquired yet.
	 *
	 * @param Parameters $options of this lock, merged over those of the factory
	 * @throws \ValueError|\TypeError an option, or the name, is wrong
	 */
	public function lock(string $name, #[\SensitiveParameter] array $options = []): Lock;

	/**
	 * Runs $code under the process-bound lock of this name, and returns what $code returns. $code gets the lock if it
	 * requires a parameter. The option `wait` says how long to wait if another process has the lock.
	 *
	 * @template T
	 * @param callable(Lock): T $code
	 * @param Parameters $options of this lock, merged over those of the factory
	 * @return T
	 * @throws NotAcquiredException another process has the lock
	 * @throws LockLostException the lock was lost before $code returned
	 * @throws Exception trouble with the server, before $code runs
	 */
	public function run(string $name, callable $code, #[\SensitiveParameter] array $options = []): mixed;

	/**
	 * Creates a lock of several names: all of them or none. They are acquired in the order of their names, and `wait` is for all
	 * together. If one is lost, all are. getFence() is null.
	 *
	 * @param array<string> $names at least one; names that come twice count once
	 * @param Parameters $options of each of the locks, merged over those of the factory, without `fence`, `token` and `reentrant`
	 * @throws \ValueError|\TypeError an option, or a name, is wrong
	 */
	public function all(array $names, #[\SensitiveParameter] array $options = []): Lock;
}
