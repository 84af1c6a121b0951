<?php

declare(strict_types=1);

namespace RedisLock\Async;

use React\EventLoop\Loop;
use React\EventLoop\TimerInterface;
use RedisLock\Adapter\Extension;

/**
 * Has locks wait in the event loop of ReactPHP: `RedisLock\Async\React::install();` at the start of the program. Only code in a
 * fiber waits there, as in `React\Async\async()`; elsewhere a wait blocks.
 */
final class React
{
	/**
	 * From now on, until the request ends, a lock that waits suspends its fiber, and the loop goes on.
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
		$loop = Loop::get();
		$fiber = \Fiber::getCurrent();
		/** @var TimerInterface|null $timer */
		$timer = null;
		$forget = static function () use ($loop, $read, $write, &$timer): void {
			array_map($loop->removeReadStream(...), $read);
			array_map($loop->removeWriteStream(...), $write);
			if ($timer !== null) {
				$loop->cancelTimer($timer);
			}
		};
		// Later, so that the loop has no stream of ours while the fiber runs.
		$resume = static function () use ($loop, $fiber, $forget): void {
			$forget();
			$loop->futureTick(static fn () => $fiber?->resume());
		};
		$timer = $seconds === null ? null : $loop->addTimer($seconds, $resume);
		array_map(static fn ($stream) => $loop->addReadStream($stream, $resume), $read);
		array_map(static fn ($stream) => $loop->addWriteStream($stream, $resume), $write);
		try {
			\Fiber::suspend();
		} finally {
			$forget();
		}
	}
}
