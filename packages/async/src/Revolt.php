<?php

declare(strict_types=1);

namespace RedisLock\Async;

use Revolt\EventLoop;

/** Has locks wait in the event loop of Revolt, which Amp uses: `RedisLock\Async\Revolt::install();` at the start of the program. */
final class Revolt
{
	/**
	 * From now on, until the request ends, a lock that waits suspends its fiber, or `{main}`, and the loop goes on.
	 *
	 * @throws \LogicException the extension is not loaded
	 */
	public static function install(): void
	{
		\RedisLock::setPoller(self::wait(...), true);
	}

	/**
	 * @param list<resource> $read
	 * @param list<resource> $write
	 */
	private static function wait(array $read, array $write, ?float $seconds): void
	{
		$suspension = EventLoop::getSuspension();
		$resumed = false;
		$resume = static function () use ($suspension, &$resumed): void {
			if (!$resumed) {
				$resumed = true;
				$suspension->resume();
			}
		};
		$callbacks = array_map(static fn ($stream) => EventLoop::onReadable($stream, $resume), $read);
		array_push($callbacks, ...array_map(static fn ($stream) => EventLoop::onWritable($stream, $resume), $write));
		if ($seconds !== null) {
			$callbacks[] = EventLoop::delay(max(0.0, $seconds), $resume);
		}
		try {
			$suspension->suspend();
		} finally {
			$resumed = true;
			array_map(EventLoop::cancel(...), $callbacks);
		}
	}
}
