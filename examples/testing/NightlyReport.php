<?php

declare(strict_types=1);

namespace App;

use RedisLock\Lock;
use RedisLock\LockFactory;
use RedisLock\NotAcquiredException;

/**
 * A job that must not run twice at a time. It gets the factory from outside, so a unit test can hand over one whose locks
 * are in memory: NightlyReportTest.php.
 */
final class NightlyReport
{
	/** @param \Closure(string): void $write */
	public function __construct(private readonly LockFactory $locks, private readonly \Closure $write)
	{
	}

	/** @return bool false: another process is at it */
	public function run(): bool
	{
		try {
			$this->locks->run('nightly-report', function (Lock $lock): void {
				foreach (['north', 'south'] as $region) {
					($this->write)($region);
				}
			}, ['wait' => 5]);
		} catch (NotAcquiredException) {
			return false;
		}

		return true;
	}
}
