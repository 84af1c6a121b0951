<?php

declare(strict_types=1);

namespace RedisLock\Adapter;

/** @internal Keeps the objects of process-bound locks, each of which has a connection. */
interface KeepsLocks
{
	/** @param list<string> $names the locks of these names may have ended with their request */
	public function forgetEnded(array $names): void;
}
