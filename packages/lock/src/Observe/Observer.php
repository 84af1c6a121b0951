<?php

declare(strict_types=1);

namespace RedisLock\Observe;

/**
 * Hands the events of locks to several receivers. The extension itself knows one function.
 *
 * @phpstan-type Details array{name: string, kind: string, wait: ?float, hold: ?float, server: string, error?: string}
 */
final class Observer
{
	/** @var array<callable(string, Details): void> */
	private static array $receivers = [];
	private static bool $isReporting = false;

	/**
	 * Observes from now on, in place of who did before. In a worker server, call it at the start of each PHP request.
	 *
	 * @param callable(string, Details): void ...$receivers
	 */
	public static function start(callable ...$receivers): void
	{
		self::$receivers = $receivers;
		\RedisLock\observe($receivers === [] ? null : self::report(...));
	}

	public static function stop(): void
	{
		self::start();
	}

	/**
	 * @internal Hands an event to the receivers. Locks that they use themselves cause none, which would never end.
	 * @param Details $details
	 */
	public static function report(string $event, array $details): void
	{
		if (self::$isReporting) {
			return;
		}
		self::$isReporting = true;
		$thrown = null;
		foreach (self::$receivers as $receiver) {
			try {
				$receiver($event, $details);
			} catch (\Throwable $e) {
				$thrown ??= $e; /* one that fails must not silence the others */
			}
		}
		self::$isReporting = false;
		if ($thrown !== null) {
			throw $thrown;
		}
	}
}
