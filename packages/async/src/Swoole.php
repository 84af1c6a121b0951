<?php

declare(strict_types=1);

namespace RedisLock\Async;

use Swoole\Coroutine;
use Swoole\Coroutine\System;
use Swoole\Runtime;

/**
 * Has locks wait in the event loop of Swoole: `RedisLock\Async\Swoole::install();` at the start of the program, in front of
 * `$server->start()`. Code in a coroutine waits there; elsewhere a wait blocks.
 */
final class Swoole
{
	/**
	 * From now on, until the request ends, a lock that waits suspends its coroutine, and the others go on.
	 *
	 * @throws \LogicException the extension is not loaded
	 */
	public static function install(): void
	{
		\RedisLock::setPoller(self::wait(...));
	}

	/**
	 * @param list<resource> $read
	 * @param list<resource> $write
	 */
	private static function wait(array $read, array $write, ?float $seconds): void
	{
		$us = $seconds === null ? null : max(1000, (int) ceil($seconds * 1e6));
		// A fiber outside of coroutines blocks: Swoole has nobody there to suspend.
		$suspends = Coroutine::getCid() !== -1;
		if ($read === [] && $write === []) {
			$us ??= 1000000;
			$suspends ? System::sleep($us / 1e6) : usleep($us);

			return;
		}
		// Has stream_select() suspend the coroutine, as it usually does. It is the one wait of Swoole for several streams that
		// leaves them as they are, blocking or not.
		$hooks = Runtime::getHookFlags();
		$wanted = $suspends ? $hooks | SWOOLE_HOOK_STREAM_FUNCTION : $hooks & ~SWOOLE_HOOK_STREAM_FUNCTION;
		if ($hooks !== $wanted) {
			Runtime::setHookFlags($wanted);
		}
		$except = null;
		try {
			// A signal ends it, with a warning where it blocks.
			@stream_select($read, $write, $except, $us === null ? null : intdiv($us, 1000000), $us === null ? null : $us % 1000000);
		} finally {
			if (!$suspends && $hooks !== $wanted) {
				Runtime::setHookFlags($hooks);
			}
		}
	}
}
