<?php

declare(strict_types=1);

namespace RedisLock;

use RedisLock\Adapter\Extension;

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
		$params = (is_string($params) ? ['url' => $params] : $params) + ['persistent' => true];
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
