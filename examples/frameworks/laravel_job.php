<?php
/*
 * A job of Laravel that does not run twice at the same time for one user. With Laravel's own WithoutOverlapping, a killed
 * worker leaves its key behind: for ever, or until expireAfter(), which you have to guess. With this one the key is free at
 * once, and a job may take as long as it needs.
 *
 *     php artisan queue:work
 */

namespace App\Jobs;

use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Foundation\Queue\Queueable;
use RedisLock\Laravel\WithoutOverlapping; // before: Illuminate\Queue\Middleware\WithoutOverlapping

class RecalculateBalance implements ShouldQueue
{
	use Queueable;

	public int $tries = 10;

	public function __construct(public int $user)
	{
	}

	/** @return list<object> */
	public function middleware(): array
	{
		return [(new WithoutOverlapping("user:$this->user"))->releaseAfter(5)];
	}

	public function handle(): void
	{
		// If the lock is lost, a RedisLock\LockLostException ends this code.
		echo "recalculating the balance of user $this->user\n";
	}
}
