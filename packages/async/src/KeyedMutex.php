<?php

declare(strict_types=1);

namespace RedisLock\Async;

use Amp\Sync\KeyedMutex as AmpKeyedMutex;

/** Amp's KeyedMutex across processes and machines: one holder a key. Call Revolt::install() first. */
final class KeyedMutex extends KeyedSemaphore implements AmpKeyedMutex
{
	/** @param array<mixed>|string $params as for KeyedSemaphore */
	public function __construct(#[\SensitiveParameter] array|string $params = [])
	{
		parent::__construct($params, 1);
	}
}
