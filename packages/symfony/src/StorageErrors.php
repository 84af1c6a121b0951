<?php

declare(strict_types=1);

namespace RedisLock\Symfony;

use Symfony\Component\Lock\Exception\InvalidArgumentException;
use Symfony\Component\Lock\Exception\LockStorageException;

/** @internal */
trait StorageErrors
{
	/**
	 * Trouble with the server or with what the key holds, and a name that we refuse, in the component's words.
	 *
	 * @template T
	 * @param \Closure(): T $question
	 * @return T
	 */
	private function ask(\Closure $question): mixed
	{
		try {
			return $question();
		} catch (\RedisLock\LockLostException $e) {
			// Of another lock, in the middle of this question.
			throw $e;
		} catch (\RedisLock\Exception $e) {
			throw new LockStorageException($e->getMessage(), 0, $e);
		} catch (\ValueError $e) {
			throw new InvalidArgumentException($e->getMessage(), 0, $e);
		}
	}
}
