<?php

declare(strict_types=1);

namespace RedisLock\Adapter;

use RedisLock\Options;

/**
 * @internal A server and how to reach it, from which every adapter makes its locks.
 *
 * Connections are kept and shared by all locks of the process: frameworks make a lock object per use, and each would
 * connect anew. The extension sees to it that a fork does not share them.
 * @phpstan-import-type Options from \RedisLock as Parameters
 */
final class Server
{
	/** Seconds, 10 years: the longest the extension takes for a ttl, and for a wait with an end. */
	private const LONGEST = 315_360_000.0;
	private const LONGEST_BOUND = 3600.0;
	/** Seconds: how long a lock that was waited for is ours before the server has heard of its ttl. */
	private const CLAIM = 2.0;
	/** Options of locks that are the adapters' to give: others' would change what their answers mean. */
	private const RESERVED = ['renew', 'reentrant', 'token', 'fence', 'hold_at_least'];

	/** Whether the log of this process says already that a ttl was cut. */
	private static bool $cutTold = false;
	/** Not a plain array: dumps and logs of the objects around it must not show the password. */
	private readonly \SensitiveParameterValue $options;
	/** The lease taken last: most are released before the next one is taken. */
	private ?\RedisLock $last = null;
	/** Process-bound locks. */
	private readonly HeldLocks $held;
	/** What keys begin with; null: what the options say. */
	private ?string $prefix = null;
	/** The prefix among the options. */
	private readonly string $given;
	private ?bool $allowsMany = null;
	private ?bool $takesTokens = null;
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
		$options['persistent'] ??= true;
		if ($fence) {
			$options['fence'] = true;
		}
		// The frameworks' own locks know nothing of redislock.prefix.
		$options['prefix'] ??= '';
		if (Extension::isLoaded()) {
			new \RedisLock($options);
		}
		$this->options = new \SensitiveParameterValue($options);
		$this->given = (string) $options['prefix'];
		$this->held = new HeldLocks();
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
		return $seconds > self::LONGEST ? INF : $seconds;
	}

	/** A ttl as the extension takes it; that of a process-bound lock says nothing of how long it may be held. */
	public static function ttl(float $seconds, bool $bound = false): float
	{
		if ($bound && $seconds > self::LONGEST_BOUND && !self::$cutTold) {
			self::$cutTold = true;
			error_log("redislock: the ttl of a process-bound lock is at most 3600 s, not $seconds s; it only says how long " .
				'the lock stays if its machine vanishes');
		}

		return min($seconds, $bound ? self::LONGEST_BOUND : self::LONGEST);
	}

	/** The same server, whose keys begin with another prefix; null: the one of the options. */
	public function under(?string $prefix): self
	{
		if ($prefix === $this->prefix || $this->prefix === null && $prefix === $this->given) {
			return $this;
		}
		if ($this->other === null || $this->other->prefix !== $prefix) {
			$this->other = null; // not part of the copy
			$this->other = clone $this;
			[$this->other->prefix, $this->other->last] = [$prefix, null];
		}

		return $this->other;
	}

	/** The same keys, whose names lack this beginning: it is part of the prefix. */
	public function below(string $beginning): self
	{
		return $this->under(($this->prefix ?? $this->given) . $beginning);
	}

	/** @return Parameters of \RedisLock */
	public function toOptions(): array
	{
		return $this->prefix() + $this->options();
	}

	/**
	 * A lock nobody holds yet.
	 *
	 * @param Parameters $options
	 */
	public function lock(string $name, array $options = []): \RedisLock
	{
		Extension::need();

		return new \RedisLock($this->options(), ['name' => $name] + $options + $this->prefix());
	}

	/**
	 * Takes a lease.
	 *
	 * @param Parameters&array{ttl: float, ...} $options of the lock
	 * @param float $wait seconds, as for \RedisLock::acquire()
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
	 * The lease that whoever knows the token holds, or held.
	 *
	 * @param Parameters $options of the lock: permits, weight and shared, as it was taken
	 */
	public function restore(string $name, #[\SensitiveParameter] string $token, array $options = []): \RedisLock
	{
		Extension::need();
		// It may come from a serialized key.
		OptionTable::token($token);

		// A forked copy of the object has no token.
		return $this->last?->getToken() === $token && $this->last->getName() === $name ? $this->last
			: \RedisLock::restore($this->prefix() + $this->options(), $name, $token, $options);
	}

	/** Whether several may hold one of its locks: not on several servers, and not where each lock gets a number. */
	public function allowsMany(): bool
	{
		Extension::need();
		try {
			return $this->allowsMany ??= (bool) new \RedisLock(['shared' => true] + $this->options());
		} catch (\ValueError) {
			return $this->allowsMany = false;
		}
	}

	/** Whether a lock may be taken with a token that was made before: on several servers each try makes its own. */
	public function takesTokens(): bool
	{
		Extension::need();
		try {
			return $this->takesTokens ??= (bool) new \RedisLock(['token' => 'any'] + $this->options());
		} catch (\ValueError) {
			return $this->takesTokens = false;
		}
	}

	/**
	 * Takes a process-bound lock, and keeps it until letGo().
	 *
	 * @param string|null $token null: a fresh one
	 * @param Parameters $options of the lock
	 * @param float $wait seconds, as for \RedisLock::acquire()
	 * @return string|null its token; null: somebody else has it, or it is held already
	 */
	public function hold(string $name, #[\SensitiveParameter] ?string $token, array $options, float $wait): ?string
	{
		$this->held->forgetLost();
		// One and the same object: the end of another one with this token would free the key.
		$lock = $token !== null ? $this->held($name, $token) : null;
		$lock ??= $this->lock($name, ['renew' => true, 'token' => $token] + $options);
		if ($lock->isHeld()) {
			return null;
		}
		if ($token !== null) {
			$this->held->forget($this->prefix . $name, $token);
		}
		if (!$lock->acquire(self::wait($wait))) {
			return null;
		}
		$token = (string) $lock->getToken();
		$this->held->keep($this->prefix . $name, $token, $lock);

		return $token;
	}

	/**
	 * Takes over a lease by its token, as a process-bound lock, and keeps it until letGo().
	 *
	 * @param Parameters $options of the lock
	 * @return bool false: it has ended
	 */
	public function adopt(string $name, #[\SensitiveParameter] string $token, array $options): bool
	{
		Extension::need();
		$lock = \RedisLock::restore($this->prefix() + ['renew' => true] + $options + $this->options(), $name, $token);
		if (!$lock->keepAlive()) {
			return false;
		}
		$this->held->keep($this->prefix . $name, $token, $lock);

		return true;
	}

	/** Ends the renewal of what hold() took or adopt() took over: it is a lease again, until its ttl ends. */
	public function giveAway(string $name, #[\SensitiveParameter] string $token): void
	{
		$lock = $this->held($name, $token);
		$this->held->forget($this->prefix . $name, $token);
		$lock?->detach();
	}

	/** What hold() took with this token; also when it was lost since. */
	public function held(string $name, #[\SensitiveParameter] string $token): ?\RedisLock
	{
		return $this->held->find($this->prefix . $name, $token);
	}

	/** @return bool false: not held, or lost */
	public function letGo(string $name, #[\SensitiveParameter] string $token): bool
	{
		$lock = $this->held($name, $token);
		$this->held->forget($this->prefix . $name, $token);

		return $lock?->release() ?? false;
	}

	/** Ends the hold that has this token, whether it is alone or one of several. */
	public function end(string $name, #[\SensitiveParameter] string $token): void
	{
		// Not the mark that shares a lock with it.
		OptionTable::token($token);
		$this->lock($name)->forceRelease($token);
	}

	/** Deletes the key, whoever has it. To the one who holds it by this token, that is no loss. */
	public function forceRelease(string $name, #[\SensitiveParameter] string $token): void
	{
		try {
			($this->held($name, $token) ?? $this->lock($name))->forceRelease();
		} finally {
			$this->held->forget($this->prefix . $name, $token);
		}
	}

	/**
	 * Takes a lease, and is back when its ttl is certain: one that was waited for is ours for the claim first, and whoever
	 * keeps the token alone, or asks nothing more, would not learn that the server has not heard of the ttl.
	 *
	 * @param float $ttl seconds, that of the lock
	 * @param float $wait seconds, as for \RedisLock::acquire()
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
			// Also what signal handlers throw.
			self::releaseQuietly($lock);
			throw $e;
		}

		return false;
	}

	/** @return Parameters */
	private function options(): array
	{
		/** @var Parameters $options */
		$options = $this->options->getValue();

		return $options;
	}

	/** @return array{prefix?: string} */
	private function prefix(): array
	{
		return $this->prefix === null ? [] : ['prefix' => $this->prefix];
	}

	/** What nobody will have the token of. */
	private static function releaseQuietly(\RedisLock $lock): void
	{
		try {
			$lock->release();
		} catch (\RedisLock\ConnectionException) {
			// The caller is told of this trouble already.
		}
	}
}
