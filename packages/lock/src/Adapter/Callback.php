<?php

declare(strict_types=1);

namespace RedisLock\Adapter;

/** @internal What synchronized() accepts. */
final class Callback
{
	/**
	 * How many parameters it requires: none, or the lock.
	 *
	 * @param string $method for messages
	 */
	public static function parameters(callable $code, string $method): int
	{
		$function = new \ReflectionFunction($code(...));
		$required = $function->getNumberOfRequiredParameters();
		if ($required > 1) {
			throw new \ValueError("$method(): Argument #1 (\$code) must require at most one parameter (the lock), $required are required");
		}
		if ($function->isGenerator()) {
			throw new \LogicException('A generator function runs after the lock is released: iterate inside the callable.');
		}

		return $required;
	}
}
