<?php

declare(strict_types=1);

namespace RedisLock\Adapter;

/** @internal A lock is one object: a copy would hold what it has not acquired. */
trait NotCopied
{
	public function __clone()
	{
		throw new \Error('Trying to clone an uncloneable object of class ' . static::class);
	}

	/** @return array{} */
	public function __serialize(): array
	{
		throw new \Exception("Serialization of '" . static::class . "' is not allowed");
	}
}
