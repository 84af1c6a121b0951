<?php

declare(strict_types=1);

namespace RedisLock;

/** Of the extension alone: it asks several servers at once. */
class RedLock
{
	/**
	 * @param array<mixed> $servers
	 * @param array<string, mixed> $options
	 */
	public function __construct(#[\SensitiveParameter] array $servers, int $retryDelay = 200, int $retryCount = 3, #[\SensitiveParameter] array $options = [])
	{
		throw Adapter\Extension::lacks('RedLock');
	}
}
