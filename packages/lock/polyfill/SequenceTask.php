<?php

declare(strict_types=1);

/** Of the extension alone: a task runs under a process-bound lock. */
final class SequenceTask
{
	private function __construct() {}

	/** @param array<string, mixed> $config */
	public static function execute(#[SensitiveParameter] array $config, callable $callable): never
	{
		throw RedisLock\Adapter\Extension::lacks('SequenceTask');
	}

	public static function current(): ?RedisLock
	{
		return null;
	}
}
