<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

/**
 * The lock of a scheduled command, which schedule:run acquires, and the process of the command takes over. It is told in the
 * environment, with the first argument of the command, so that other processes leave it alone.
 *
 * @internal
 */
final class HandedOnLock
{
	private const VARIABLE = 'REDISLOCK_HANDED_ON';

	private function __construct(
		public readonly string $argument,
		public readonly ?string $store,
		public readonly string $name,
		public readonly string $owner
	) {
	}

	/** Tells all processes that are started from here on, until withdraw(). */
	public static function tell(string $argument, ?string $store, string $name, #[\SensitiveParameter] string $owner): void
	{
		$value = http_build_query(['argument' => $argument, 'store' => $store, 'name' => $name, 'owner' => $owner]);
		putenv(self::VARIABLE . "=$value");
		$_ENV[self::VARIABLE] = $_SERVER[self::VARIABLE] = $value;
	}

	public static function withdraw(): void
	{
		putenv(self::VARIABLE);
		unset($_ENV[self::VARIABLE], $_SERVER[self::VARIABLE]);
	}

	/** What this process was told. */
	public static function told(): ?self
	{
		parse_str((string) getenv(self::VARIABLE), $told);
		$told = array_filter($told, is_string(...));
		if (!isset($told['argument'], $told['name'], $told['owner'])) {
			return null;
		}

		return new self($told['argument'], $told['store'] ?? null, $told['name'], $told['owner']);
	}
}
