<?php

declare(strict_types=1);

namespace RedisLock\Symfony;

use RedisLock\Adapter\Server;
use Symfony\Component\Semaphore\Exception\InvalidArgumentException;
use Symfony\Component\Semaphore\Key;

/** @internal What a key of the Semaphore component is to redislock: permits of a lock. */
trait Permits
{
	/** A semaphore and a lock of one name are not the same thing. */
	private static function nameOf(Key $key): string
	{
		return "semaphore:$key";
	}

	/** @return array{permits: int, weight: int} */
	private static function permitsOf(Key $key): array
	{
		return ['permits' => $key->getLimit(), 'weight' => $key->getWeight()];
	}

	private static function ttl(float $seconds, bool $bound): float
	{
		return $seconds > 0 ? Server::ttl($seconds, $bound)
			: throw new InvalidArgumentException("The ttl must be above 0, $seconds given.");
	}

	/**
	 * What we refuse, in the component's words. It has none of its own for trouble with the server.
	 *
	 * @template T
	 * @param \Closure(): T $question
	 * @return T
	 */
	private function ask(\Closure $question): mixed
	{
		try {
			return $question();
		} catch (\ValueError $e) {
			throw new InvalidArgumentException($e->getMessage(), 0, $e);
		}
	}
}
