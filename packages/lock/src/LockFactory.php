<?php

declare(strict_types=1);

namespace RedisLock;

use RedisLock\Adapter\AllLocks;
use RedisLock\Adapter\Extension;
use RedisLock\Adapter\Server;
use RedisLock\Local\LocalLockFactory;

/**
 * Creates locks and runs tasks by name. It does what `new RedisLock` and `SequenceTask::execute()` do, as an object to inject.
 *
 * Create one with the options of the server, and inject it into every class that locks. In unit tests, inject a
 * RedisLock\Testing\ArrayLockFactory instead, which needs neither the server nor the extension.
 *
 * Connections stay open and are shared by all locks of the process, unless `persistent` is false.
 *
 * @phpstan-import-type Options from \RedisLock as Parameters
 */
class LockFactory
{
	/** Not a plain array: dumps and logs of the objects around it must not show the password. */
	private readonly \SensitiveParameterValue $params;
	private readonly \SensitiveParameterValue $options;
	private static int $groups = 0;

	/**
	 * Creates the factory. It does not connect yet.
	 *
	 * @phpstan-param Parameters|string $params
	 * @param array|string $params as for \RedisLock: connection and lock options, or a URI
	 * @phpstan-param Parameters $options
	 * @param array $options merged over $params
	 * @throws \ValueError|\TypeError an option is unknown, has the wrong type or is out of range
	 */
	public function __construct(
		#[\SensitiveParameter] array|string $params = [],
		#[\SensitiveParameter] array $options = []
	) {
		if (is_array($params) && $params !== [] && array_is_list($params)) {
			throw new \ValueError('A list of servers belongs into the option "servers", "sentinels" or "cluster".');
		}
		// What the URI says wins over what stands beside it.
		$params = Server::given($params) + ['persistent' => true];
		$this->params = new \SensitiveParameterValue($params);
		$this->options = new \SensitiveParameterValue($options);
		if (Extension::isLoaded()) {
			$this->lock('any');
		}
	}

	/**
	 * Creates a lock that is not acquired yet. It is a lease, unless the option `renew` is true.
	 *
	 * @phpstan-param Parameters $options
	 * @param array $options of this lock, merged over those of the factory
	 * @throws \ValueError|\TypeError an option, or the name, is wrong
	 * @throws \LogicException the extension is not loaded
	 */
	public function lock(string $name, #[\SensitiveParameter] array $options = []): Lock
	{
		return $this->managed($name, $options);
	}

	/**
	 * As lock(), for operators: who has the lock, and an end to it whoever has it; and to hand it on to another process.
	 *
	 * @phpstan-param Parameters $options
	 * @param array $options of this lock, merged over those of the factory
	 * @throws \ValueError|\TypeError an option, or the name, is wrong
	 * @throws \LogicException the extension is not loaded
	 */
	public function managed(string $name, #[\SensitiveParameter] array $options = []): ManagedLock
	{
		Extension::need();

		return new \RedisLock($this->params->getValue(), ['name' => $name] + $this->merged($options));
	}

	/**
	 * Runs $code under the process-bound lock of this name, and returns what $code returns. $code gets the lock if it
	 * requires a parameter. The option `wait` says how long to wait if another process has the lock.
	 *
	 * @template T
	 * @param callable(Lock): T $code
	 * @phpstan-param Parameters $options
	 * @param array $options of this lock, merged over those of the factory
	 * @return T
	 * @throws NotAcquiredException another process has the lock
	 * @throws LockLostException the lock was lost before $code returned
	 * @throws Exception trouble with the server, before $code runs
	 */
	public function run(string $name, callable $code, #[\SensitiveParameter] array $options = []): mixed
	{
		return $this->lock($name, $options)->synchronized($code);
	}

	/**
	 * Takes over a lock that another process has given away with detach(). It counts as held when keepAlive() or
	 * isAcquired() has confirmed it.
	 *
	 * @phpstan-param Parameters $options
	 * @param array $options of this lock, merged over those of the factory
	 */
	public function restore(
		string $name,
		#[\SensitiveParameter] string $token,
		#[\SensitiveParameter] array $options = []
	): ManagedLock {
		Extension::need();

		return \RedisLock::restore($this->params->getValue(), $name, $token, $this->merged($options));
	}

	/**
	 * Creates a lock of several names: all of them or none. They are acquired in the order of their names, and `wait` is for all
	 * together. If one is lost, all are. getFence() is null.
	 *
	 * @param array<string> $names at least one; names that come twice count once
	 * @phpstan-param Parameters $options
	 * @param array $options of each of the locks, merged over those of the factory, without `fence`, `token` and `reentrant`
	 * @throws \ValueError|\TypeError an option, or a name, is wrong
	 * @throws \LogicException the extension is not loaded
	 */
	public function all(array $names, #[\SensitiveParameter] array $options = []): Lock
	{
		foreach (['name', 'fence', 'token', 'reentrant'] as $option) {
			if (isset($options[$option])) {
				throw new \ValueError("Option \"$option\" cannot be used with all(): it is about a single name.");
			}
		}
		$names = array_values(array_unique(array_map(static fn (string $name): string => $name, $names)));
		if ($names === []) {
			throw new \ValueError(__METHOD__ . '(): Argument #1 ($names) must not be empty');
		}
		sort($names, SORT_STRING);
		$options = $this->lostAsOne($options);
		$throws = ($options['on_lost'] ?? 'throw') !== 'flag';
		$given = new \SensitiveParameterValue($options);
		$make = function (bool $bound) use ($names, $given): array {
			if ($bound && isset($given->getValue()['renew']) && !filter_var($given->getValue()['renew'], FILTER_VALIDATE_BOOL)) {
				throw new \ValueError('Option "renew" must not be false here, where the locks are bound to the process.');
			}
			/** @var Parameters $options */
			$options = ($bound ? ['renew' => true] : []) + $given->getValue();

			return array_map(fn (string $name): Lock => $this->lock($name, $options), $names);
		};

		return new AllLocks($names, $make, $this->waitOf($options), $throws, $this->now(...));
	}

	/**
	 * Creates a factory of locks of this machine, which need neither a server nor the extension: for what runs on one machine, and
	 * for development. They are files that are locked with flock(2). They are process-bound, without a ttl: the kernel frees them
	 * when the process ends, however it ends, and waiters are woken.
	 *
	 * @param string $directory where the files are. If it does not exist it is made, for its user alone. One that others could
	 *     write to is refused, unless it has the sticky bit. Not on NFS
	 * @param array{prefix?: string, label?: string, wait?: int|float|numeric-string|null, waitTime?: int|float|numeric-string|null,
	 *     renew?: true} $options of all locks; there are no others
	 * @throws \ValueError|\TypeError an option is wrong, or makes no sense without a server
	 */
	public static function local(string $directory, array $options = []): self
	{
		return new LocalLockFactory($directory, $options);
	}

	/**
	 * The option `wait` of locks with these options, in seconds.
	 *
	 * @param array<string, mixed> $options
	 */
	protected function waitOf(array $options): float
	{
		$wait = $this->given($options, 'wait', 'waitTime');

		return $wait === 'INF' ? INF : (is_numeric($wait) ? (float) $wait : 0.0);
	}

	/**
	 * The options of several locks whose loss is one exception, however many of them it is about.
	 *
	 * @param Parameters $options
	 * @return Parameters
	 */
	protected function lostAsOne(#[\SensitiveParameter] array $options): array
	{
		$throws = ($this->given($options, 'on_lost') ?? 'throw') === 'throw';
		/** @var Parameters $together */
		$together = ($throws ? ['on_lost' => 'throw#' . self::$groups++] : []) + $options;

		return $together;
	}

	/**
	 * @param array<string, mixed> $options
	 * @return mixed the value of the first of these options that is given here, to the factory, or in its URI
	 */
	private function given(#[\SensitiveParameter] array $options, string ...$names): mixed
	{
		/** @var array<string, mixed> $params */
		$params = $this->params->getValue();
		if (is_string($params['url'] ?? null)) {
			parse_str((string) parse_url($params['url'], PHP_URL_QUERY), $query);
			$params = $query + $params;
		}
		/** @var array<string, mixed> $common */
		$common = $this->options->getValue();
		foreach ([$options, $common, $params] as $layer) {
			foreach ($names as $name) {
				if (($layer[$name] ?? null) !== null) {
					return $layer[$name];
				}
			}
		}

		return null;
	}

	/** Seconds of a clock that does not jump. */
	protected function now(): float
	{
		return hrtime(true) / 1e9;
	}

	/**
	 * null is an option that is not given.
	 *
	 * @param Parameters $options
	 * @return Parameters
	 */
	private function merged(#[\SensitiveParameter] array $options): array
	{
		/** @var Parameters $common */
		$common = $this->options->getValue();
		/** @var Parameters $given */
		$given = array_filter($options, static fn (mixed $value): bool => $value !== null);

		return $given + $common;
	}
}
