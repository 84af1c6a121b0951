<?php

declare(strict_types=1);

namespace RedisLock\Symfony;

use Symfony\Component\Lock\Lock;

/**
 * The ttl of the Lock that is just saving its key.
 *
 * A store is not told: a Lock saves its key first and then puts off its end to its own ttl, which is one request more. So
 * we look at who calls. Nothing depends on it: where the caller is no Lock, or one that keeps its ttl elsewhere, the key has
 * the initial ttl until the Lock has its put off.
 *
 * @internal
 */
final class LockTtl
{
	/** @var \Closure(Lock): ?float|null */
	private static ?\Closure $read = null;

	/** To be called two calls away from the Lock. */
	public static function ofCaller(): ?float
	{
		$caller = debug_backtrace(DEBUG_BACKTRACE_PROVIDE_OBJECT | DEBUG_BACKTRACE_IGNORE_ARGS, 4)[3]['object'] ?? null;
		if (!$caller instanceof Lock) {
			return null;
		}
		self::$read ??= \Closure::bind(static fn (Lock $lock): mixed => $lock->ttl ?? null, null, Lock::class);
		$ttl = (self::$read)($caller);

		return is_float($ttl) ? $ttl : null;
	}
}
