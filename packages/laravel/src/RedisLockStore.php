<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use Illuminate\Bus\UniqueLock;
use Illuminate\Cache\RedisStore;
use Illuminate\Console\Scheduling\EventMutex;
use Illuminate\Console\Scheduling\SchedulingMutex;
use Illuminate\Contracts\Config\Repository as Config;
use Illuminate\Contracts\Redis\Factory as Redis;
use Illuminate\Queue\CallQueuedHandler;
use Illuminate\Redis\Connections\Connection;
use Illuminate\Redis\RedisManager;
use RedisLock\Adapter\ClientOptions;
use RedisLock\Adapter\Server;
use RedisLock\Options;

/**
 * Laravel's Redis store, with locks of the redislock extension. The cache itself and the keys of the locks do not change.
 *
 * @phpstan-consistent-constructor
 * @phpstan-import-type Options from \RedisLock as Parameters
 * @phpstan-type Locks array{process?: mixed, ttl?: int|float|numeric-string, label?: string, interval?: int|float, linger?: int|float,
 *     max_hold?: int|float, servers?: array<mixed>, ...}
 */
class RedisLockStore extends RedisStore
{
	/** What a store's part of config/cache.php may say of its locks. */
	private const OPTIONS = ['process', 'ttl', 'label', 'interval', 'linger', 'max_hold', 'servers'];
	/**
	 * Those of Laravel's classes that acquire a lock in one process and have another one release it; and the method that asks for the
	 * lock, where others of the class run code of the application.
	 */
	private const ASKERS = [UniqueLock::class => null, EventMutex::class => null, SchedulingMutex::class => null,
		CallQueuedHandler::class => 'ensureUniqueJobLockIsReleasedViaContext'];
	/** How many callers may be between what asks for a lock and lock(): there may be a store in front of this one. */
	private const CALLERS = 16;

	/** What config/database.php says of Redis. */
	private \SensitiveParameterValue $databases;
	/** What the store, or config/redislock.php for all, says of its locks. */
	private \SensitiveParameterValue $locks;
	/** @var array<string, Server> by the name of their connection */
	private array $servers = [];

	/**
	 * @param array<mixed> $databases the part "redis" of config/database.php
	 * @param array<mixed>|bool|null $serializableClasses as for RedisStore, where it knows them
	 * @param array<string, mixed> $locks what config/redislock.php says of "locks"
	 */
	public function __construct(
		Redis $redis,
		#[\SensitiveParameter] array $databases,
		string $prefix = '',
		string $connection = 'default',
		$serializableClasses = null,
		#[\SensitiveParameter] array $locks = []
	) {
		parent::__construct($redis, $prefix, $connection, $serializableClasses);
		$this->databases = new \SensitiveParameterValue($databases);
		$this->locks = new \SensitiveParameterValue(array_filter($locks, static fn (mixed $option): bool => $option !== null));
	}

	/** @param array<string, mixed> $store the store's part of config/cache.php */
	public static function fromConfig(Config $config, Redis $redis, array $store): static
	{
		/** @var array{connection?: string|null, lock_connection?: string|null, prefix?: string|null} $store */
		$connection = $store['connection'] ?? 'default';
		/** @var array<string, mixed> $locks */
		$locks = array_intersect_key($store, array_flip(self::OPTIONS)) + (array) $config->get('redislock.locks');
		/** @var string|null $prefix */
		$prefix = $store['prefix'] ?? $config->get('cache.prefix');
		/** @var array<mixed>|bool|null $serializableClasses */
		$serializableClasses = $config->get('cache.serializable_classes');

		return (new static($redis, (array) $config->get('database.redis'), (string) $prefix, $connection, $serializableClasses, $locks))
			->setLockConnection($store['lock_connection'] ?? $connection);
	}

	/**
	 * A lease; with 'process' => true a process-bound lock, whatever the seconds are.
	 *
	 * @return Lock
	 */
	public function lock($name, $seconds = 0, $owner = null)
	{
		return ($this->locks()['process'] ?? false) && !self::isForAnotherProcess()
			? $this->processLock($name, 0, $owner) : $this->lease($name, $seconds, $owner);
	}

	/**
	 * A lock that lives until it is released or its seconds are over, also where those of lock() are process-bound.
	 *
	 * @param string|int|float|bool|\Stringable|null $name
	 * @param int|float|string $seconds 0: it does not expire
	 * @param string|int|float|\Stringable|null $owner as for lock()
	 */
	public function lease($name, $seconds = 0, $owner = null): Lock
	{
		return $this->make(Lock::class, $name, $seconds, $owner);
	}

	/**
	 * A lock that lives until it is released or until this process ends. It is renewed while the process runs, and freed when
	 * the process ends for whatever reason. If it is lost, a RedisLock\LockLostException is thrown in the running code. In a
	 * queue worker it ends with the job that has acquired it, under Octane with the request.
	 *
	 * @param string|int|float|bool|\Stringable|null $name
	 * @param int|float|string $seconds how long the key stays if a whole machine or container vanishes; 0: the "ttl" of the
	 *     store, or else 30
	 * @param string|int|float|\Stringable|null $owner as for lock()
	 */
	public function processLock($name, $seconds = 0, $owner = null): ProcessLock
	{
		$locks = $this->locks();
		$seconds = Server::seconds($seconds) > 0 ? $seconds : $locks['ttl'] ?? 0;
		return $this->make(ProcessLock::class, $name, $seconds, $owner)->withOptions(array_intersect_key($locks, ['interval' => 0, 'linger' => 0, 'max_hold' => 0]));
	}

	/** @internal whether it has permits: on several servers there are none */
	public function hasPermits(): bool
	{
		return $this->server()->allowsMany();
	}

	/** For flushLocks() of Laravel 13, which empties the database of the lock connection. */
	public function hasSeparateLockStore(): bool
	{
		return !isset($this->locks()['servers']) && $this->lockConnectionName() !== $this->connection;
	}

	public function flushLocks(): bool
	{
		if (isset($this->locks()['servers'])) {
			throw new \BadMethodCallException('The locks of this store are on several servers ("servers"), and cannot be flushed: ' .
				'"redislock:list" says which there are, and "redislock:release" ends one.');
		}

		return parent::flushLocks(); // @phpstan-ignore staticMethod.notFound, return.type (Laravel 13 has it)
	}

	/**
	 * @internal Options of the server that has the locks, with the prefix that they have now.
	 * @return Parameters
	 */
	public function serverOptions(): array
	{
		return $this->server()->under(self::prefixNow($this->redis, $this->lockConnectionName()))->below($this->prefix)->toOptions();
	}

	/** Whether one of ASKERS asks for a lock. Its name is the application's to choose. */
	private static function isForAnotherProcess(): bool
	{
		foreach (debug_backtrace(DEBUG_BACKTRACE_PROVIDE_OBJECT | DEBUG_BACKTRACE_IGNORE_ARGS, self::CALLERS) as $frame) {
			$object = $frame['object'] ?? null;
			foreach (self::ASKERS as $class => $method) {
				if ($object instanceof $class && ($method ?? $frame['function']) === $frame['function']) {
					return true;
				}
			}
		}

		return false;
	}

	/** @return Locks */
	private function locks(): array
	{
		/** @var Locks $locks */
		$locks = $this->locks->getValue();

		return $locks;
	}

	private function lockConnectionName(): string
	{
		/** @var string|null $connection */
		$connection = $this->lockConnection;

		return $connection ?? $this->connection;
	}

	/**
	 * The prefix of the cache is one of the lock, whose name is what the application calls it, in events and logs, too. Where that is
	 * empty, the prefix is its name.
	 *
	 * @template T of Lock
	 * @param class-string<T> $class
	 * @param string|int|float|bool|\Stringable|null $name
	 * @param int|float|string $seconds
	 * @param string|int|float|\Stringable|null $owner
	 * @return T
	 */
	private function make(string $class, $name, $seconds, $owner): Lock
	{
		$isNamed = (string) $name !== '';

		return new $class($this->serverNow($isNamed ? $this->prefix : ''), $isNamed ? (string) $name : $this->prefix, $seconds, $owner,
			$this->lockConnectionName(), $this->locks()['label'] ?? null);
	}

	/** @return \Closure(): Server with the prefix that its connection has at that moment, which may change at any time */
	private function serverNow(string $beginning): \Closure
	{
		[$server, $connection] = [$this->server(), $this->lockConnectionName()];
		// Dumps of the lock must not show the password.
		$redis = new \SensitiveParameterValue($this->redis);

		return static fn (): Server => $server->under(self::prefixNow($redis->getValue(), $connection))->below($beginning);
	}

	/**
	 * The prefix that a connection of Laravel adds to its keys. Packages for tenants change it while the application runs.
	 *
	 * @return string|null null: there is no such connection yet, whose making would cost its connecting, so it is what config/database.php says
	 */
	private static function prefixNow(Redis $redis, string $connection): ?string
	{
		/** @var array<string, Connection>|null $connections */
		$connections = $redis instanceof RedisManager ? $redis->connections() : null;
		$client = ($connections[$connection] ?? null)?->client();

		return is_object($client) ? ClientOptions::prefixOf($client) : null;
	}

	private function server(): Server
	{
		$connection = $this->lockConnectionName();

		/** @var array<mixed> $databases */
		$databases = $this->databases->getValue();
		$servers = $this->locks()['servers'] ?? null;

		return $this->servers[$connection] ??= new Server($servers === null ? Options::ofLaravel($databases, $connection)
			: self::several($databases, $servers, $connection));
	}

	/**
	 * Several servers, of which most must have a lock. Its prefix is that of the connection.
	 *
	 * @param array<mixed> $servers names of connections, or options of \RedisLock
	 * @return Parameters
	 */
	private static function several(#[\SensitiveParameter] array $databases, #[\SensitiveParameter] array $servers, string $connection): array
	{
		return ['servers' => array_map(fn (mixed $server): mixed => is_string($server) && isset($databases[$server])
			? array_diff_key(Options::ofLaravel($databases, $server), ['prefix' => 0]) : $server, array_values($servers)),
			'prefix' => Options::ofLaravel($databases, $connection)['prefix'] ?? ''];
	}
}
