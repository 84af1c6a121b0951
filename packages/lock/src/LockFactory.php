<?php

declare(strict_types=1);

namespace RedisLock;

use RedisLock\Adapter\AllLocks;
use RedisLock\Adapter\Extension;
use RedisLock\Adapter\LockOptions;
use RedisLock\Adapter\ReplaceableLock;
use RedisLock\Adapter\Unavailable;
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
class LockFactory implements Locks
{
	/** Not a plain array: dumps and logs of the objects around it must not show the password. */
	private readonly \SensitiveParameterValue $params;
	private readonly \SensitiveParameterValue $options;
	private static int $groups = 0;
	private ?Unavailable $unavailable = null;

	/**
	 * Creates the factory. It does not connect yet.
	 *
	 * @param array<mixed>|string $params connection and lock options as for \RedisLock, as another client has them, or a URI: see Options::from()
	 * @param Parameters $options merged over $params
	 * @throws \ValueError|\TypeError an option is unknown, has the wrong type or is out of range
	 */
	public function __construct(
		#[\SensitiveParameter] array|string $params = [],
		#[\SensitiveParameter] array $options = []
	) {
		$this->params = new \SensitiveParameterValue(Options::from($params) + ['persistent' => true]);
		$this->options = new \SensitiveParameterValue($options);
		if (Extension::isLoaded()) {
			$this->lock('any');
		}
	}

	/** It is a lease, unless the option `renew` is true. */
	public function lock(string $name, #[\SensitiveParameter] array $options = []): Lock
	{
		$lock = $this->managed($name, $options);
		if ($this->unavailable === null) {
			return $lock;
		}
		$given = array_intersect_key($this->merged($options) + $this->given(), array_flip(Unavailable::OPTIONS));

		return new ReplaceableLock($lock, array_filter($given, static fn (mixed $value): bool => $value !== null && $value !== false), $this->unavailable);
	}

	/**
	 * The same factory, which says what happens when the server cannot be asked whether a lock is free. It is about lock(), run() and
	 * all(); never about a lock that somebody else has, nor about one that is held already. Each time, an event and a counter tell.
	 *
	 * @param Locks|string $then 'throw': the exception, as ever. LockFactory::local(): a lock of this machine takes its place, so another
	 *     machine may do the same work at the same time. 'skip': nobody works; acquire() is false, and run() throws a
	 *     NotAcquiredException whose previous one says why
	 * @param float $pause seconds after trouble before this factory asks the server again
	 */
	public function whenUnavailable(Locks|string $then, float $pause = 5.0): static
	{
		if (is_string($then) && $then !== 'throw' && $then !== 'skip' || $then instanceof self || !($pause >= 0.0 && $pause <= 3600.0)) {
			throw new \ValueError(__METHOD__ . '(): Argument #1 ($then) must be "throw", "skip" or LockFactory::local(), and #2 ($pause) from 0 to 3600 seconds');
		}
		$factory = clone $this;
		$factory->unavailable = $then === 'throw' ? null : new Unavailable($then === 'skip' ? null : $then, $pause);

		return $factory;
	}

	/**
	 * As lock(), for operators: who has the lock, and an end to it whoever has it; and to hand it on to another process.
	 *
	 * @param Parameters $options as for lock()
	 */
	public function managed(string $name, #[\SensitiveParameter] array $options = []): ManagedLock
	{
		return new \RedisLock($this->params->getValue(), ['name' => $name] + $this->merged($options));
	}

	public function run(string $name, callable $code, #[\SensitiveParameter] array $options = []): mixed
	{
		return $this->lock($name, $options)->synchronized($code);
	}

	/**
	 * Takes over a lock that another process has given away with detach(). It counts as held when keepAlive() or
	 * isAcquired() has confirmed it.
	 *
	 * @param Parameters $options as for lock()
	 */
	public function restore(
		string $name,
		#[\SensitiveParameter] string $token,
		#[\SensitiveParameter] array $options = []
	): ManagedLock {
		return \RedisLock::restore($this->params->getValue(), $name, $token, $this->merged($options));
	}

	public function all(array $names, #[\SensitiveParameter] array $options = []): Lock
	{
		$settings = new LockOptions([$this->merged($options), $this->given()]);
		// The loss of them is one exception, however many of them it is about.
		/** @var Parameters $together */
		$together = ($settings->throwsWhenLost ? ['on_lost' => 'throw#' . self::$groups++] : []) + $options;

		return new AllLocks($this, $names, $together, $settings, static fn (): float => hrtime(true) / 1e9);
	}

	/**
	 * Creates a factory of locks of this machine, which need neither a server nor the extension: for what runs on one machine, and
	 * for development. They are files that are locked with flock(2). They are process-bound, without a ttl: the kernel frees them
	 * when the process ends, however it ends. A copy that was forked while one was held keeps it until it ends, too.
	 *
	 * @param string $directory where the files are. If it does not exist it is made, for its user alone. One that others could
	 *     write to is refused, unless it has the sticky bit. Not on NFS
	 * @param array{prefix?: string, label?: string, wait?: int|float|numeric-string|null, waitTime?: int|float|numeric-string|null,
	 *     renew?: true} $options of all locks; there are no others
	 * @throws \ValueError|\TypeError an option is wrong, or makes no sense without a server
	 */
	public static function local(string $directory, array $options = []): Locks
	{
		return new LocalLockFactory($directory, $options);
	}

	/** @return array<string, mixed> what the factory was given beside its own options */
	private function given(): array
	{
		/** @var array<string, mixed> $params */
		$params = $this->params->getValue();

		return $params;
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
