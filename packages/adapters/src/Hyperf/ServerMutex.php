<?php

declare(strict_types=1);

namespace RedisLock\Hyperf;

use Hyperf\Crontab\Crontab;
use Hyperf\Crontab\Mutex\ServerMutex as ServerMutexInterface;
use RedisLock\Adapter\NamedLocks;
use RedisLock\Adapter\Server;

/**
 * For tasks of hyperf/crontab with `onOneServer`: the first process that attempts a task runs it from then on, for as long as it
 * lives. When it is killed, the next attempt of any other process takes over.
 *
 * Keys are those of Hyperf's RedisServerMutex, behind the prefix of the options: hosts can be migrated one at a time.
 */
class ServerMutex implements ServerMutexInterface
{
	private readonly NamedLocks $locks;

	/**
	 * @param array<mixed>|string $server as RedisLock\Options::from() takes it
	 * @param float $ttl seconds, at most 3600: how long a task has no server if the whole machine vanishes
	 */
	public function __construct(#[\SensitiveParameter] array|string $server, float $ttl = 30.0)
	{
		$this->locks = new NamedLocks(new Server($server), $ttl);
	}

	public function attempt(Crontab $crontab): bool
	{
		$name = self::name($crontab);

		// Nobody is interrupted by a loss: between two runs of the task there is nobody who could be.
		return $this->locks->find($name)?->isHeld() || $this->locks->take($name, 0.0, ['on_lost' => 'flag']);
	}

	/** The token of the process that runs the task; empty: none does. */
	public function get(Crontab $crontab): string
	{
		return $this->locks->holder(self::name($crontab)) ?? '';
	}

	private static function name(Crontab $crontab): string
	{
		return 'hyperf' . DIRECTORY_SEPARATOR . 'crontab-' . sha1($crontab->getName() . $crontab->getRule()) . '-sv';
	}
}
