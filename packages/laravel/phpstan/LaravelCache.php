<?php

declare(strict_types=1);

namespace RedisLock\PHPStan;

use RedisLock\Laravel\BoundLock;

/** @internal what the macro of the service provider is like */
interface LaravelCache
{
	/**
	 * @param int|float|string $seconds
	 * @param string|int|float|\Stringable|null $owner
	 */
	public function processLock(string $name, $seconds = 0, $owner = null): BoundLock;
}
