<?php

declare(strict_types=1);

namespace RedisLock\Async;

use React\EventLoop\Loop;
use React\EventLoop\TimerInterface;
use React\Promise\Deferred;
use React\Promise\Promise;
use React\Promise\PromiseInterface;

/**
 * Has locks wait in the event loop of ReactPHP: `RedisLock\Async\React::install();` at the start of the program. Code in a
 * fiber waits there, as in `React\Async\async()`, and so does acquire() of this class; elsewhere a wait blocks.
 */
final class React
{
	/**
	 * What a fiber waits for, by the number of the fiber.
	 *
	 * @var array<int, PromiseInterface<null>>
	 */
	private static array $waits = [];

	/**
	 * From now on, until the request ends, a lock that waits suspends its fiber, and the loop goes on.
	 *
	 * @throws \LogicException the extension is not loaded
	 */
	public static function install(): void
	{
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
		/** @var bool $acquired */
		$acquired = false;
		/** @var Deferred<bool> $deferred */
		$deferred = new Deferred(static function () use ($lock, &$number, &$acquired): void {
			if ($acquired) {
				$lock->release();
			}
			isset(self::$waits[$number]) ? self::$waits[$number]->cancel() : self::cancelled();
		});
		$fiber = new \Fiber(static function () use ($lock, $wait, $deferred, &$number, &$acquired): void {
			try {
				$acquired = $lock->acquire($wait);
				$settle = static fn () => $deferred->resolve($acquired);
			} catch (\Throwable $e) {
				$settle = static fn () => $deferred->reject($e);
			}
			$number = 0; // another fiber may have it from here on
			// Outside of this fiber, as React\Async\await() asks.
			Loop::futureTick($settle);
		});
		$number = spl_object_id($fiber);
		$fiber->start();

		return $deferred->promise();
	}

	private static function cancelled(): never
	{
		throw new \RuntimeException('the wait for a lock was cancelled');
	}

	/**
	 * @param list<resource> $read
	 * @param list<resource> $write
	 */
	private static function wait(array $read, array $write, ?float $seconds): void
	{
		$loop = Loop::get();
		/** @var TimerInterface|null $timer */
		$timer = null;
		/** @var Promise<null> $ready */
		$ready = new Promise(static function (callable $resolve) use ($loop, $read, $write, $seconds, &$timer): void {
			$resolve = static fn () => $resolve(null);
			$timer = $seconds === null ? null : $loop->addTimer($seconds, $resolve);
			array_map(static fn ($stream) => $loop->addReadStream($stream, $resolve), $read);
			array_map(static fn ($stream) => $loop->addWriteStream($stream, $resolve), $write);
		}, self::cancelled(...));
		$fiber = \Fiber::getCurrent() ?? throw new \LogicException('only a fiber waits');
		$number = spl_object_id($fiber);
		self::$waits[$number] = $ready;
		try {
			self::await($ready, $fiber);
		} finally {
			unset(self::$waits[$number]);
			array_map($loop->removeReadStream(...), $read);
			array_map($loop->removeWriteStream(...), $write);
			if ($timer !== null) {
				$loop->cancelTimer($timer);
			}
		}
	}

	/**
	 * Has React\Async\await() wait, whose fibers are cancelled with their promises; or does the same for a fiber, where that package
	 * is not installed.
	 *
	 * @param PromiseInterface<null> $promise
	 * @param \Fiber<mixed, mixed, mixed, mixed> $fiber
	 */
	private static function await(PromiseInterface $promise, \Fiber $fiber): void
	{
		if (function_exists('React\Async\await')) {
			\React\Async\await($promise);

			return;
		}
		// Later, since the loop calls us for one of the streams now.
		$promise->then(static fn () => Loop::futureTick(static fn () => $fiber->resume()),
			static fn (\Throwable $e) => Loop::futureTick(static fn () => $fiber->throw($e)));
		\Fiber::suspend();
	}
}
