<?php

declare(strict_types=1);

namespace RedisLock\Adapter;

/**
 * @internal The process-bound locks that an adapter holds, also where nobody has an object of theirs. They are known by their key and
 * token.
 */
final class HeldLocks implements KeepsLocks, \Countable
{
	/** @var array<string, \RedisLock> */
	private array $locks = [];

	public function __construct()
	{
		UnitOfWork::register($this);
	}

	public function keep(string $key, #[\SensitiveParameter] string $token, \RedisLock $lock): void
	{
		$this->locks[self::id($key, $token)] = $lock;
	}

	/** Also one that was lost since. */
	public function find(string $key, #[\SensitiveParameter] string $token): ?\RedisLock
	{
		return $this->locks[self::id($key, $token)] ?? null;
	}

	public function forget(string $key, #[\SensitiveParameter] string $token): void
	{
		unset($this->locks[self::id($key, $token)]);
	}

	/** Those nobody has released, since they were lost. */
	public function forgetLost(): void
	{
		$this->locks = array_filter($this->locks, static fn (\RedisLock $lock): bool => $lock->getToken() !== null);
	}

	public function forgetEnded(array $names): void
	{
		foreach ($this->locks as $id => $lock) {
			if (in_array($lock->getName(), $names, true) && $lock->getToken() === null) {
				unset($this->locks[$id]);
			}
		}
	}

	/** Ends them: nobody else has their objects. */
	public function end(): void
	{
		$this->locks = [];
	}

	public function count(): int
	{
		return count($this->locks);
	}

	/** Either may contain whatever separates them. */
	private static function id(string $key, #[\SensitiveParameter] string $token): string
	{
		return strlen($token) . " $token $key";
	}
}
