<?php

/* What the extension alone has: code that needs it is told so, and the rest runs. */

declare(strict_types=1);

namespace {
	final class SequenceTask
	{
		public static function execute(#[SensitiveParameter] array $config, callable $callable): never
		{
			throw RedisLock\Adapter\Extension::lacks('SequenceTask');
		}

		public static function current(): ?RedisLock
		{
			return null;
		}
	}
}

namespace RedisLock {
	class RedLock
	{
		public function __construct(#[\SensitiveParameter] array $servers, int $retryDelay = 200, int $retryCount = 3, #[\SensitiveParameter] array $options = [])
		{
			throw Adapter\Extension::lacks('RedLock');
		}
	}

	/** Requests end process-bound locks, of which there are none. */
	final class Worker
	{
		public static function beginRequest(): void {}

		public static function endRequest(): array
		{
			return [];
		}
	}
}
