<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use Illuminate\Cache\RedisStore;
use Illuminate\Contracts\Config\Repository as Config;
use Illuminate\Contracts\Redis\Factory as Redis;
use RedisLock\Adapter\Server;

/**
 * Laravel's Redis store, with locks by the redislock extension. The cache itself, and the keys of the locks, stay as they
 * are.
 */
class RedisLockStore extends RedisStore
{
	/** What config/database.php says of Redis. */
	private \SensitiveParameterValue $databases;
	/** @var array<string, Server> by the name of their connection */
	private array $servers = [];

	/**
	 * @param array $databases the part "redis" of config/database.php
	 * @param array|bool|null $serializableClasses as for RedisStore, where it knows them
	 */
	public function __construct(
		Redis $redis,
		#[\SensitiveParameter] array $databases,
		string $prefix = '',
		string $connection = 'default',
		$serializableClasses = null
	) {
		parent::__construct($redis, $prefix, $connection, $serializableClasses);
		$this->databases = new \SensitiveParameterValue($databases);
	}

	/** @param array $store the store's part of config/cache.php */
	public static function fromConfig(Config $config, Redis $redis, array $store): static
	{
		$connection = $store['connection'] ?? 'default';

		$prefix = (string) ($store['prefix'] ?? $config->get('cache.prefix'));

		return (new static($redis, $config->get('database.redis'), $prefix, $connection,
			$config->get('cache.serializable_classes')))->setLockConnection($store['lock_connection'] ?? $connection);
	}

	/** @return Lock */
	public function lock($name, $seconds = 0, $owner = null)
	{
		return new Lock($this->server(), $this->prefix . $name, $seconds, $owner, $this->lockConnectionName());
	}

	/**
	 * A lock that lives until it is released, or as long as this process: renewed as long as it runs, freed however it ends.
	 * If it is lost all the same, a RedisLock\LockLostException is thrown in the code that runs. In a worker that runs for
	 * long, one that is never released is held until the worker ends.
	 *
	 * @param int|float|string $seconds how long the key outlives a machine or container that vanishes as a whole; 0: 30
	 * @param string|int|float|\Stringable|null $owner as for lock()
	 */
	public function processLock(string $name, $seconds = 0, $owner = null): ProcessLock
	{
		return new ProcessLock($this->server(), $this->prefix . $name, $seconds, $owner, $this->lockConnectionName());
	}

	private function lockConnectionName(): string
	{
		return $this->lockConnection ?? $this->connection;
	}

	private function server(): Server
	{
		$connection = $this->lockConnectionName();

		return $this->servers[$connection] ??=
			new Server(ServerOptions::ofConnection($this->databases->getValue(), $connection));
	}
}
