<?php

declare(strict_types=1);

namespace RedisLock;

/** Requests end process-bound locks, of which there are none without the extension. */
final class Worker
{
	private function __construct() {}

	public static function beginRequest(): void {}

	/** @return list<string> */
	public static function endRequest(): array
	{
		return [];
	}
}
