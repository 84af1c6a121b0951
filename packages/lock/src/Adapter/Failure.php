<?php

declare(strict_types=1);

namespace RedisLock\Adapter;

use RedisLock\LockLostException;
use RedisLock\NotAcquiredException;

/** @internal Makes the exceptions of the extension, which take what they tell from private properties. */
final class Failure
{
	/**
	 * @param array{host: string|null, pid: int|null, resting: bool, ...}|null $holder
	 * @param string|null $counted what is said in place of "held"
	 */
	public static function notAcquired(string $name, ?array $holder, ?string $counted = null): NotAcquiredException
	{
		$who = isset($holder['host']) ? ($holder['resting'] ? 'kept at rest' : 'held') . " by host $holder[host], process $holder[pid]"
			: 'held by somebody else';
		$who = $counted === null ? $who : "$counted, " . preg_replace('/^held /', '', $who);

		return self::fill(new NotAcquiredException(self::lock($name) . ": $who"), ['holder' => $holder, 'retryable' => true]);
	}

	/** @param class-string<\RedisLock\Exception> $class */
	public static function server(string $class, string $name, string $what, ?string $node, bool $retryable): \RedisLock\Exception
	{
		return self::fill(new $class(self::lock($name) . ": $what" . ($node === null ? '' : " ($node)")), ['node' => $node, 'retryable' => $retryable]);
	}

	/** A method that was called at the wrong time. */
	public static function misuse(string $name, string $complaint): \LogicException
	{
		return new \LogicException(self::lock($name) . " $complaint");
	}

	/** A lock in a message. */
	private static function lock(string $name): string
	{
		return 'lock "' . preg_replace_callback('/[\x00-\x1f\x7f]/', static fn (array $byte): string => sprintf('\x%02X', ord($byte[0])), $name) . '"';
	}

	/** The server could not be asked, and nothing is done without its lock. */
	public static function skipped(string $name, \Throwable $trouble): NotAcquiredException
	{
		return self::fill(new NotAcquiredException(self::lock($name) . ': skipped, since the server is away', 0, $trouble), ['retryable' => true]);
	}

	/** @param array{mixed}|null $result what the callable returned, if it did */
	public static function lost(string $name, string $reason, ?array $result = null): LockLostException
	{
		$exception = new LockLostException(self::lock($name) . " was lost: $reason");

		return $result === null ? $exception : self::fill($exception, ['finished' => true, 'result' => $result[0]]);
	}

	/** A warning; the exception that a handler makes of it is dropped, as in the extension: what the caller did is done. */
	public static function warn(string $text): void
	{
		try {
			trigger_error($text, E_USER_WARNING);
		} catch (\Throwable) {
			// The handler has seen it.
		}
	}

	/** It must not reach the code that happens to use a lock. */
	public static function ofObserver(\Throwable $thrown): void
	{
		self::warn('The observer of locks has thrown ' . $thrown::class . ': ' . $thrown->getMessage());
	}

	/** What the callable threw, with the loss of the lock at the end of its chain, once. */
	public static function chained(\Throwable $thrown, string $name, ?string $reason): \Throwable
	{
		if ($reason === null) {
			return $thrown;
		}
		for ($last = $thrown, $seen = []; !in_array($last, $seen, true); $last = $last->getPrevious()) {
			$seen[] = $last;
			if ($last instanceof LockLostException && str_starts_with($last->getMessage(), self::lock($name) . ' was lost: ')) {
				break;
			}
			if ($last->getPrevious() === null) {
				$base = $last instanceof \Exception ? \Exception::class : \Error::class;
				(new \ReflectionProperty($base, 'previous'))->setValue($last, self::lost($name, $reason));
				break;
			}
		}

		return $thrown;
	}

	/**
	 * @template T of \RedisLock\Exception
	 * @param T $exception
	 * @return T
	 */
	private static function fill(\RedisLock\Exception $exception, array $values): \RedisLock\Exception
	{
		foreach ($values as $name => $value) {
			(new \ReflectionProperty(in_array($name, ['node', 'retryable'], true) ? \RedisLock\Exception::class : $exception, $name))->setValue($exception, $value);
		}

		return $exception;
	}
}
