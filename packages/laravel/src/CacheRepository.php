<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use Illuminate\Cache\Repository;

use function Illuminate\Support\enum_value;

/** Laravel's cache, whose funnel() has permits of redislock. */
class CacheRepository extends Repository
{
	public function funnel($name)
	{
		if (!$this->store instanceof RedisLockStore || !$this->store->hasPermits()) {
			return parent::funnel($name);
		}
		/** @var string|int $value */
		$value = enum_value($name);

		return new Funnel($this, (string) $value);
	}
}
