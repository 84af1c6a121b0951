<?php

declare(strict_types=1);

namespace RedisLock\Adapter;

use RedisLock\Lock;

/** @internal What synchronized() accepts. */
final class Callback
{
	/**
	 * $code, which gets the lock if it requires a parameter.
	 *
	 * @param string $method for messages
	 * @return \Closure(): mixed
	 */
	public static function under(Lock $lock, callable $code, string $method): \Closure
	{
		$function = new \ReflectionFunction($code(...));
		$required = $function->getNumberOfRequiredParameters();
		if ($required > 1) {
			throw new \ValueError("$method(): Argument #1 (\$code) must require at most one parameter (the lock), $required are required");
		}
		if ($function->isGenerator()) {
			throw new \LogicException('A generator function runs after the lock is released: iterate inside the callable.');
		}

		return $required === 1 ? static fn (): mixed => $code($lock) : static fn (): mixed => $code();
	}
}
