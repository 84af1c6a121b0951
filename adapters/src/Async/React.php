<?php

declare(strict_types=1);

namespace RedisLock\Async;

use React\EventLoop\Loop;
use React\EventLoop\TimerInterface;
use React\Promise\Deferred;
use React\Promise\PromiseInterface;
use RedisLock\Adapter\Extension;

/**
 * Has locks wait in the event loop of ReactPHP: `RedisLock\Async\React::install();` at the start of the program. Code in a
 * fiber waits there, as in `React\Async\async()`, and so does acquire() of this class; elsewhere a wait blocks.
 */
final class React
{
	/**
	 * What ends the wait of a fiber, by its number.
	 *
	 * @var array<int, \Closure(?\Throwable=): void>
	 */
	private static array $waits = [];

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
	 * Acquires the lock in a fiber of its own, for code without fibers. Whoever cancels the promise ends the wait, and the promise
	 * is rejected. No code is interrupted by the loss of a lock acquired so: isHeld() tells.
	 *
	 * @param float|null $wait as for RedisLock::acquire()
	 * @return PromiseInterface<bool> what RedisLock::acquire() returns; rejected with what it throws
	 */
	public static function acquire(\RedisLock $lock, ?float $wait = null): PromiseInterface
	{
		$number = 0;
		/** @var Deferred<bool> $deferred */
		$deferred = new Deferred(static function () use (&$number): void {
			$end = self::$waits[$number] ?? null;
			$end === null || $end(new \RuntimeException('the wait for a lock was cancelled'));
		});
		$fiber = new \Fiber(static function () use ($lock, $wait, $deferred): void {
			try {
				$deferred->resolve($lock->acquire($wait));
			} catch (\Throwable $e) {
				$deferred->reject($e);
			}
		});
		$number = spl_object_id($fiber);
		$fiber->start();

		return $deferred->promise();
	}

	/**
	 * @param list<resource> $read
	 * @param list<resource> $write
	 */
	private static function wait(array $read, array $write, ?float $seconds): void
	{
		$loop = Loop::get();
		$fiber = \Fiber::getCurrent() ?? throw new \LogicException('only a fiber waits');
		/** @var TimerInterface|null $timer */
		$timer = null;
		/** @var \Throwable|null $end */
		$end = null;
		$resumed = false;
		$forget = static function () use ($loop, $read, $write, &$timer): void {
			array_map($loop->removeReadStream(...), $read);
			array_map($loop->removeWriteStream(...), $write);
			if ($timer !== null) {
				$loop->cancelTimer($timer);
			}
		};
		// Later, so that the loop has no stream of ours while the fiber runs.
		$resume = static function (?\Throwable $by = null) use ($loop, $fiber, $forget, &$resumed, &$end): void {
			$end ??= $by;
			if (!$resumed) {
				$resumed = true;
				$forget();
				$loop->futureTick(static fn () => $fiber->resume());
			}
		};
		$timer = $seconds === null ? null : $loop->addTimer($seconds, static fn () => $resume());
		array_map(static fn ($stream) => $loop->addReadStream($stream, static fn () => $resume()), $read);
		array_map(static fn ($stream) => $loop->addWriteStream($stream, static fn () => $resume()), $write);
		$number = spl_object_id($fiber);
		self::$waits[$number] = $resume;
		try {
			\Fiber::suspend();
		} finally {
			unset(self::$waits[$number]);
			$forget();
		}
		if ($end !== null) {
			throw $end;
		}
	}
}
