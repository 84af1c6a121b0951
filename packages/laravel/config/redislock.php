<?php
/*
 * Locks of the redislock extension. "php artisan vendor:publish --tag=redislock-config" copies this file into config/.
 */

return [

	/*
	 * The cache store with the locks of the scheduler, and of Cache::processLock() where the default store has none of its own. null: the default store if its driver is "redislock", else the store called "redislock".
	 */
	'store' => env('REDISLOCK_STORE'),

	/*
	 * withoutOverlapping() of the scheduler. true: a scheduled task that is killed is free to run again at once, not after 24 hours.
	 */
	'scheduler' => env('REDISLOCK_SCHEDULER', false),

	/*
	 * In tests whose default store is in memory (CACHE_STORE=array), stores with the driver "redislock" are in memory, too. false:
	 * one that the code names is on its server.
	 */
	'memory_in_tests' => env('REDISLOCK_MEMORY_IN_TESTS', true),

	/*
	 * Options of the locks of every store with the driver "redislock". What a store says itself in config/cache.php wins, and
	 * 'process' => true makes all locks of a store process-bound. Times are seconds.
	 */
	'locks' => [
		'ttl' => 30, // how long a process-bound lock stays if its machine or container vanishes
		'label' => null, // shown to whoever asks who has a lock, at most 64 bytes
		'interval' => null, // between two renewals; null: a third of the ttl
		'linger' => null, // how long a lock is kept after its holder was killed
		'max_hold' => null, // the longest that a process may hold a lock
		'servers' => null, // names of connections, or options of redislock: a lock is held on most of these servers
	],

];
