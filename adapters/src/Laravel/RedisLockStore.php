<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use Illuminate\Cache\RedisStore;
use Illuminate\Contracts\Config\Repository as Config;
use Illuminate\Contracts\Redis\Factory as Redis;
use RedisLock\Adapter\Server;

/**
 * Laravel's Redis store, with locks of the redislock extension. The cache itself and the keys of the locks do not change.
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
		return new Lock($this->serverNow(), $this->prefix . $name, $seconds, $owner, $this->lockConnectionName());
	}

	/**
	 * A lock that lives until it is released or until this process ends. It is renewed while the process runs, and freed when
	 * the process ends for whatever reason. If it is lost, a RedisLock\LockLostException is thrown in the running code. In a
	 * queue worker it ends with the job that has acquired it, under Octane with the request.
	 *
	 * @param int|float|string $seconds how long the key stays if a whole machine or container vanishes; 0: 30
	 * @param string|int|float|\Stringable|null $owner as for lock()
	 */
	public function processLock(string $name, $seconds = 0, $owner = null): ProcessLock
	{
		return new ProcessLock($this->serverNow(), $this->prefix . $name, $seconds, $owner, $this->lockConnectionName());
	}

	private function lockConnectionName(): string
	{
		return $this->lockConnection ?? $this->connection;
	}

	/** @return \Closure(): Server with the prefix that its connection has at that moment, which may change at any time */
	private function serverNow(): \Closure
	{
		[$server, $connection] = [$this->server(), $this->lockConnectionName()];
		// Dumps of the lock must not show the password.
		$redis = new \SensitiveParameterValue($this->redis);

		return static fn (): Server => $server->under(ConnectionPrefix::now($redis->getValue(), $connection));
	}

	private function server(): Server
	{
		$connection = $this->lockConnectionName();

		return $this->servers[$connection] ??=
			new Server(ServerOptions::ofConnection($this->databases->getValue(), $connection));
	}
}
