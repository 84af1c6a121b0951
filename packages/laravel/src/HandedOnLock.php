<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

/**
 * @internal The lock of a scheduled command, which schedule:run acquires, and the process of the command takes over. It is announced in the
 * environment, with the first argument of the command, so that other processes leave it alone.
 */
final class HandedOnLock
{
	private const VARIABLE = 'REDISLOCK_HANDED_ON';

	private function __construct(
		public readonly string $argument,
		public readonly ?string $store,
		public readonly string $name,
		public readonly string $owner,
		private readonly int $waiting,
		private readonly ?int $parent
	) {
	}

	/**
	 * Announces it to all processes that are started from here on, until withdraw().
	 *
	 * @param bool $waits whether this process waits for the end of the command
	 */
	public static function announce(string $argument, ?string $store, string $name, #[\SensitiveParameter] string $owner, bool $waits): void
	{
		$value = http_build_query(['argument' => $argument, 'store' => $store, 'name' => $name, 'owner' => $owner,
			'waiting' => $waits ? getmypid() : 0]);
		putenv(self::VARIABLE . "=$value");
		$_ENV[self::VARIABLE] = $_SERVER[self::VARIABLE] = $value;
	}

	public static function withdraw(): void
	{
		putenv(self::VARIABLE);
		unset($_ENV[self::VARIABLE], $_SERVER[self::VARIABLE]);
	}

	/** What was announced to this process. */
	public static function announced(): ?self
	{
		parse_str((string) getenv(self::VARIABLE), $announced);
		$announced = array_filter($announced, is_string(...));
		if (!isset($announced['argument'], $announced['name'], $announced['owner'])) {
			return null;
		}

		return new self($announced['argument'], $announced['store'] ?? null, $announced['name'], $announced['owner'], (int) ($announced['waiting'] ?? 0),
			self::parent());
	}

	/** Whether schedule:run or schedule:finish will come, now that the command has ended. */
	public function isAwaited(): bool
	{
		$waits = $this->waiting === 0 || !function_exists('posix_kill') || posix_kill($this->waiting, 0);

		return $waits && $this->parent === self::parent();
	}

	/** The shell; another process, if that was killed. */
	private static function parent(): ?int
	{
		return function_exists('posix_getppid') ? posix_getppid() : null;
	}
}
