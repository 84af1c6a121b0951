<?php

declare(strict_types=1);

namespace RedisLock\Yii3;

use RedisLock\Adapter\Server;
use Yiisoft\Mutex\MutexInterface;

/** Creates mutexes of Yii 3 on the given server. */
final class MutexFactory extends \Yiisoft\Mutex\MutexFactory
{
	/** The class whose name is in the keys. */
	private const STOCK = 'Yiisoft\Mutex\Redis\RedisMutex';

	private readonly Server $server;

	/**
	 * @param array<mixed>|string $server as RedisLock\Options::from() takes it
	 * @param float $ttl seconds after which a mutex is free in any case, above 0
	 * @param bool $processBound whether a mutex lives as long as the process: renewed while the process runs, freed at once
	 *     when it is killed. The ttl then says how long the mutex stays if the whole machine vanishes
	 * @throws \InvalidArgumentException $ttl is 0 or less
	 */
	public function __construct(
		#[\SensitiveParameter] array|string $server = [],
		private readonly float $ttl = 30.0,
		private readonly bool $processBound = false
	) {
		if ($ttl <= 0) {
			throw new \InvalidArgumentException("The ttl must be above 0 seconds, not $ttl: no mutex is to stay for ever.");
		}
		$this->server = new Server($server);
	}

	public function create(string $name): MutexInterface
	{
		$ttl = Server::ttl($this->ttl, $this->processBound);

		return new Mutex($name, $this->server, md5(self::STOCK . $name), $ttl, $this->processBound);
	}
}
