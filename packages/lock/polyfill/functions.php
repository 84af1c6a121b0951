<?php

declare(strict_types=1);

namespace RedisLock;

if (!\function_exists('RedisLock\stats')) {
	/** @return array<string, mixed> as from the extension; 'implementation' is 'polyfill' */
	function stats(): array
	{
		return Polyfill\Stats::all();
	}

	function observe(?callable $observer): void
	{
		Polyfill\Stats::observe($observer);
	}
}
