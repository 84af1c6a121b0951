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
	/** @var (\Closure(string, Details): void)|null */
	private static ?\Closure $beside = null;

	/**
	 * Observes from now on, in place of who did before. In a worker server, call it at the start of each PHP request.
	 *
	 * @param callable(string, Details): void ...$receivers
	 */
	public static function start(callable ...$receivers): void
	{
		self::$receivers = $receivers;
		self::observe();
	}

	public static function stop(): void
	{
		self::start();
	}

	/**
	 * @internal One that start() and stop() leave alone: a tool for developers must not take the place of what the application observes with.
	 * @param \Closure(string, Details): void $receiver in place of the one before
	 */
	public static function beside(\Closure $receiver): void
	{
		self::$beside = $receiver;
		self::observe();
	}

	/**
	 * @internal Hands an event to the receivers.
	 * @param Details $details
	 */
	public static function report(string $event, array $details): void
	{
		$thrown = null;
		foreach (self::receivers() as $receiver) {
			try {
				$receiver($event, $details);
			} catch (\Throwable $e) {
				$thrown ??= $e; /* one that fails must not silence the others */
			}
		}
		if ($thrown !== null) {
			throw $thrown;
		}
	}

	private static function observe(): void
	{
		\RedisLock\observe(self::receivers() === [] ? null : self::report(...));
	}

	/** @return array<callable(string, Details): void> */
	private static function receivers(): array
	{
		return [...self::$receivers, ...(self::$beside === null ? [] : [self::$beside])];
	}
}
