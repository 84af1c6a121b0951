<?php

declare(strict_types=1);

namespace RedisLock\Symfony;

use Symfony\Component\Lock\Exception\LockStorageException;

/** @internal */
trait StorageErrors
{
	/**
	 * Trouble with the server, in the component's words.
	 *
	 * @template T
	 * @param \Closure(): T $question
	 * @return T
	 */
	private function ask(\Closure $question): mixed
	{
		try {
			return $question();
		} catch (\RedisLock\ConnectionException | \RedisLock\RenewalException $e) {
			throw new LockStorageException($e->getMessage(), 0, $e);
		}
	}
}
