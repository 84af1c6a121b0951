<?php

declare(strict_types=1);

namespace RedisLock\PHPStan;

use RedisLock\Laravel\BoundLock;

/** @internal the same of the facade */
interface LaravelCacheFacade
{
	/**
	 * @param int|float|string $seconds
	 * @param string|int|float|\Stringable|null $owner
	 */
	public static function processLock(string $name, $seconds = 0, $owner = null): BoundLock;
}
