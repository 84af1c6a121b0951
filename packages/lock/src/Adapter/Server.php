<?php

declare(strict_types=1);

namespace RedisLock\Adapter;

use RedisLock\Options;

/**
 * @internal A server and how to reach it, from which every adapter makes its locks.
 *
 * Connections are kept and shared by all locks of the process: frameworks make a lock object per use, and each would
 * connect anew. The extension sees to it that a fork does not share them.
 *
 * @phpstan-import-type Options from \RedisLock as Parameters
 */
final class Server
{
	/** Seconds: how long a lock that was waited for is ours before the server has heard of its ttl. */
	private const CLAIM = 2.0;
	/** Options of locks that are the adapters' to give: others' would change what their answers mean. */
	private const RESERVED = ['renew', 'reentrant', 'token', 'fence', 'hold_at_least'];

	/** Whether the log of this process says already that a ttl was cut. */
	private static bool $cutTold = false;
	/** Not a plain array: dumps and logs of the objects around it must not show the password. */
	private readonly \SensitiveParameterValue $options;
	private string $prefix;
	/** The lease taken last: most are released before the next one is taken. */
	private ?\RedisLock $last = null;
	/** What under() gave last: mostly it is asked for the same again. */
	private ?self $other = null;

	/**
	 * @param array<mixed>|string $options as for Options::from(); wrong ones are told here, not in the middle of a request
	 * @param bool $fence whether every lock of this server gets a fencing number
	 */
	public function __construct(#[\SensitiveParameter] array|string $options, bool $fence = false)
	{
		$options = Options::from($options);
		foreach (array_intersect_key(array_flip(self::RESERVED), $options) as $ours => $_) {
			throw new \ValueError("The option \"$ours\" is not one of the connection, and cannot be given to an adapter.");
		}
		// The frameworks' own locks know nothing of redislock.prefix.
		$options += ['persistent' => true, 'prefix' => ''] + ($fence ? ['fence' => true] : []);
		if (Extension::isLoaded()) {
			new \RedisLock($options);
		}
		$this->options = new \SensitiveParameterValue($options);
		$this->prefix = (string) $options['prefix'];
	}

	/** Seconds from a caller who may give whatever a framework calculates with. */
	public static function seconds(mixed $given): float
	{
		return is_numeric($given) || is_bool($given) || $given === null ? (float) $given
			: throw new \ValueError('Seconds must be a number, ' . (is_string($given) ? "\"$given\"" : get_debug_type($given)) . ' given.');
	}

	/** Seconds to wait as the extension takes them: who says more than it counts means for ever. */
	public static function wait(float $seconds): float
	{
		return $seconds > OptionTable::LONGEST ? INF : $seconds;
	}

	/** A ttl as the extension takes it; that of a process-bound lock says nothing of how long it may be held. */
	public static function ttl(float $seconds, bool $bound = false): float
	{
		if ($bound && $seconds > OptionTable::HOUR && !self::$cutTold) {
			self::$cutTold = true;
			error_log("redislock: the ttl of a process-bound lock is at most 3600 s, not $seconds s; it only says how long " .
				'the lock stays if its machine vanishes');
		}

		return min($seconds, $bound ? OptionTable::HOUR : OptionTable::LONGEST);
	}

	/** The same server, whose keys begin with another prefix; null: with this one. */
	public function under(?string $prefix): self
	{
		if ($prefix === null || $prefix === $this->prefix) {
			return $this;
		}
		if ($this->other?->prefix !== $prefix) {
			$this->other = null; // not part of the copy
			$this->other = clone $this;
			[$this->other->prefix, $this->other->last] = [$prefix, null];
		}

		return $this->other;
	}

	/** The same keys, whose names lack this beginning: it is part of the prefix. */
	public function below(string $beginning): self
	{
		return $this->under($this->prefix . $beginning);
	}

	/** @return Parameters of \RedisLock */
	public function toOptions(): array
	{
		/** @var Parameters $options */
		$options = $this->options->getValue();

		return ['prefix' => $this->prefix] + $options;
	}

	/**
	 * A lock nobody holds yet.
	 *
	 * @param Parameters $options
	 */
	public function lock(string $name, array $options = []): \RedisLock
	{
		return new \RedisLock($this->toOptions(), ['name' => $name] + $options);
	}

	/**
	 * Takes a lease.
	 *
	 * @param Parameters&array{ttl: float, ...} $options of the lock
	 * @return string|null its token; null: somebody else has it
	 */
	public function acquire(string $name, array $options, float $wait): ?string
	{
		// First, so that the next one gets its connection.
		$this->last = null;
		$lock = $this->lock($name, $options);
		if (!self::take($lock, $options['ttl'], $wait)) {
			return null;
		}
		$this->last = $lock;

		return $lock->getToken();
	}

	/**
	 * The lock that whoever knows the token holds, or held.
	 *
	 * @param Parameters $options of the lock: permits, weight and shared, as it was taken
	 */
	public function restore(string $name, #[\SensitiveParameter] string $token, array $options = []): \RedisLock
	{
		// A forked copy of the object has no token.
		return $this->last?->getToken() === $token && $this->last->getName() === $name ? $this->last
			: \RedisLock::restore($this->toOptions(), $name, $token, $options);
	}

	/** Whether several may hold one of its locks: not on several servers, and not where each lock gets a number. */
	public function allowsMany(): bool
	{
		return $this->takesTokens() && !isset($this->toOptions()['fence']);
	}

	/** Whether a lock may be taken with a token that was made before: on several servers each try makes its own. */
	public function takesTokens(): bool
	{
		return !isset($this->toOptions()['servers']);
	}

	/**
	 * Takes a lease, and is back when its ttl is certain: one that was waited for is ours for the claim first, and whoever
	 * keeps the token alone, or asks nothing more, would not learn that the server has not heard of the ttl.
	 *
	 * @param float $ttl seconds, that of the lock
	 * @return bool false: somebody else has it, or it was over at once
	 */
	public static function take(\RedisLock $lock, float $ttl, float $wait): bool
	{
		$endsAt = hrtime(true) / 1e9 + $wait;
		try {
			while ($lock->acquire(self::wait($wait))) {
				if ($ttl > 0 && $ttl <= self::CLAIM) {
					return $lock->isHeld();
				}
				if ($lock->remaining() > self::CLAIM || $lock->keepAlive()) {
					return true;
				}
				$wait = max(0.0, round($endsAt - hrtime(true) / 1e9, 3));
			}
		} catch (\Throwable $e) {
			// Also what signal handlers throw. Nobody will have the token.
			try {
				$lock->release();
			} catch (\RedisLock\ConnectionException) {
				// The caller is told of this trouble already.
			}
			throw $e;
		}

		return false;
	}
}
