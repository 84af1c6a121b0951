<?php

declare(strict_types=1);

namespace RedisLock\Observe;

/**
 * Hands the events of locks to several receivers. The extension itself knows one function.
 *
 * @phpstan-type Details array{name: string, kind: string, wait: ?float, hold: ?float, server: string}
 */
final class Observer
{
	/**
	 * Observes from now on, in place of who did before. In a worker server, call it at the start of each PHP request.
	 *
	 * @param callable(string, Details): void ...$receivers
	 */
	public static function start(callable ...$receivers): void
	{
		\RedisLock\observe(static function (string $event, array $details) use ($receivers): void {
			$thrown = null;
			foreach ($receivers as $receiver) {
				try {
					$receiver($event, $details);
				} catch (\Throwable $e) {
					$thrown ??= $e; /* one that fails must not silence the others */
				}
			}
			if ($thrown !== null) {
				throw $thrown;
			}
		});
	}

	public static function stop(): void
	{
		\RedisLock\observe(null);
	}
}
