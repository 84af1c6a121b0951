<?php
/*
 * What PHPStan knows of Laravel's caches by packages/laravel/phpstan.neon. Each line that is to be found says so.
 */

use Illuminate\Contracts\Cache\Repository;
use Illuminate\Support\Facades\Cache;
use RedisLock\Laravel\BoundLock;

function bound(Repository $cache): BoundLock
{
	Cache::processLock('a', 10)->withFence()->fence();
	Cache::store('redis')->processLock('a', 10, 'me')->refresh();
	$cache->processLock(['a']); // found
	Cache::processLock(); // found
	Cache::processLocks('a'); // found

	return $cache->processLock('a');
}
