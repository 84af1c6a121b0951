<?php

declare(strict_types=1);

namespace RedisLock\Hyperf;

use Hyperf\Crontab\Crontab;
use Hyperf\Crontab\Mutex\TaskMutex as TaskMutexInterface;
use RedisLock\Adapter\NamedLocks;
use RedisLock\Adapter\Server;

/**
 * For tasks of hyperf/crontab with `singleton`: the lock lives as long as the task runs, and is free at once when its process is
 * killed. If it is lost, a RedisLock\LockLostException is thrown in the coroutine of the task.
 *
 * Keys are those of Hyperf's RedisTaskMutex, behind the prefix of the options: hosts can be migrated one at a time.
 */
class TaskMutex implements TaskMutexInterface
{
	private readonly NamedLocks $locks;

	/**
	 * @param array<mixed>|string $server as RedisLock\Options::from() takes it
	 * @param float $ttl seconds, at most 3600: how long a lock stays if the whole machine vanishes
	 */
	public function __construct(#[\SensitiveParameter] array|string $server, float $ttl = 30.0)
	{
		$this->locks = new NamedLocks(new Server($server), $ttl);
	}

	public function create(Crontab $crontab): bool
	{
		return $this->locks->take(self::name($crontab));
	}

	/** Does the task run, here or elsewhere? */
	public function exists(Crontab $crontab): bool
	{
		return $this->locks->holder(self::name($crontab)) !== null;
	}

	/** Only the lock of this process: that of another one is not deleted. */
	public function remove(Crontab $crontab): void
	{
		$this->locks->release(self::name($crontab));
	}

	private static function name(Crontab $crontab): string
	{
		return 'framework' . DIRECTORY_SEPARATOR . 'crontab-' . sha1($crontab->getName() . $crontab->getRule());
	}
}
