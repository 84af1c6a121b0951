<?php

declare(strict_types=1);

namespace RedisLock\Async;

use RedisLock\Adapter\Extension;
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
		Extension::need();
		\RedisLock::setPoller(self::wait(...));
	}

	/**
	 * @param list<resource> $read
	 * @param list<resource> $write
	 */
	private static function wait(array $read, array $write, ?float $seconds): void
	{
		$seconds = $seconds === null ? null : max($seconds, 0.001);
		if ($read === [] && $write === []) {
			System::sleep($seconds ?? 1.0);

			return;
		}
		// Has stream_select() suspend the coroutine, as it usually does. It is the one wait of Swoole for several streams that
		// leaves them as they are, blocking or not.
		$hooks = Runtime::getHookFlags();
		if (($hooks & SWOOLE_HOOK_STREAM_FUNCTION) === 0) {
			Runtime::setHookFlags($hooks | SWOOLE_HOOK_STREAM_FUNCTION);
		}
		$except = null;
		$us = $seconds === null ? null : (int) ceil($seconds * 1e6);
		stream_select($read, $write, $except, $us === null ? null : intdiv($us, 1000000), $us === null ? null : $us % 1000000);
	}
}
