<?php

declare(strict_types=1);

namespace RedisLock;

/**
 * Makes locks and runs tasks by name: what `new RedisLock` and `SequenceTask::execute()` do, as an object to inject.
 *
 * Configure one with the options of the server and hand it to every class that locks. Unit tests hand over a
 * RedisLock\Testing\ArrayLockFactory instead, which needs neither the server nor the extension.
 *
 * Connections are kept and shared by all locks of the process, unless `persistent` is false.
 *
 * @phpstan-import-type Options from \RedisLock
 */
class LockFactory
{
	/** Not a plain array: dumps and logs of the objects around it must not show the password. */
	private readonly \SensitiveParameterValue $params;
	private readonly \SensitiveParameterValue $options;

	/**
	 * Connects to nothing yet.
	 *
	 * @phpstan-param Options|string $params
	 * @param array|string $params as for \RedisLock: connection and lock options, or a URI
	 * @phpstan-param Options $options
	 * @param array $options merged over $params
	 * @throws \ValueError|\TypeError an option is unknown, of the wrong type or out of range
	 * @throws \LogicException the extension is not loaded
	 */
	public function __construct(
		#[\SensitiveParameter] array|string $params = [],
		#[\SensitiveParameter] array $options = []
	) {
		if (!extension_loaded('redislock')) {
			throw new \LogicException(self::class . ' needs the extension redislock, which is not loaded. ' .
				'Unit tests can do without it: ' . Testing\ArrayLockFactory::class);
		}
		if (is_array($params) && $params !== [] && array_is_list($params)) {
			throw new \ValueError('A list of servers belongs into the option "servers", "sentinels" or "cluster".');
		}
		// What the URI says wins over what stands beside it.
		$params = (is_string($params) ? ['url' => $params] : $params) + ['persistent' => true];
		$this->params = new \SensitiveParameterValue($params);
		$this->options = new \SensitiveParameterValue($options);
		$this->lock('any');
	}

	/**
	 * A lock that nobody holds yet: a lease, unless `renew` is among the options.
	 *
	 * @phpstan-param Options $options
	 * @param array $options of this lock, merged over those of the factory
	 * @throws \ValueError|\TypeError an option, or the name, is wrong
	 */
	public function lock(string $name, #[\SensitiveParameter] array $options = []): Lock
	{
		return new \RedisLock($this->params->getValue(), ['name' => $name] + $this->merged($options));
	}

	/**
	 * Runs $code under the lock of this name, process-bound, and returns what it returns. $code gets the lock if it
	 * requires a parameter. Option `wait`: how long to wait if somebody else has the lock.
	 *
	 * @template T
	 * @param callable(Lock): T $code
	 * @phpstan-param Options $options
	 * @param array $options of this lock, merged over those of the factory
	 * @return T
	 * @throws NotAcquiredException somebody else has it
	 * @throws LockLostException it was lost before $code returned
	 * @throws Exception trouble with the server, before $code runs
	 */
	public function run(string $name, callable $code, #[\SensitiveParameter] array $options = []): mixed
	{
		return $this->lock($name, $options)->synchronized($code);
	}

	/**
	 * Takes over the lock that another process has given away by detach(). It counts as held once keepAlive() or
	 * isAcquired() has confirmed it.
	 *
	 * @phpstan-param Options $options
	 * @param array $options of this lock, merged over those of the factory
	 */
	public function restore(
		string $name,
		#[\SensitiveParameter] string $token,
		#[\SensitiveParameter] array $options = []
	): Lock {
		// There is one array only. What stands in "parameters" holds unless an option beside it says otherwise.
		$params = ['options' => ['parameters' => $this->params->getValue()]];

		return \RedisLock::restore($this->merged($options) + $params, $name, $token);
	}

	/** null is an option that is not given. */
	private function merged(#[\SensitiveParameter] array $options): array
	{
		return array_filter($options, static fn (mixed $value): bool => $value !== null) + $this->options->getValue();
	}
}
