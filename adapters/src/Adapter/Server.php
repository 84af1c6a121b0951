<?php

declare(strict_types=1);

namespace RedisLock\Adapter;

/**
 * A server and how to reach it, from which every adapter makes its locks.
 *
 * Connections are kept and shared by all locks of the process: frameworks make a lock object per use, and each would
 * connect anew. The extension sees to it that a fork does not share them.
 *
 * @internal
 */
final class Server
{
	/** Not a plain array: dumps and logs of the objects around it must not show the password. */
	private readonly \SensitiveParameterValue $options;
	/** The lease taken last: most are released before the next one is taken. */
	private ?\RedisLock $last = null;

	/** @param array|string $options as for \RedisLock; wrong ones are told here, not in the middle of a request */
	public function __construct(#[\SensitiveParameter] array|string $options)
	{
		$options = is_string($options) ? ['url' => $options] : $options;
		$options['persistent'] ??= true;
		new \RedisLock($options);
		$this->options = new \SensitiveParameterValue($options);
	}

	/** A lock nobody holds yet. */
	public function lock(string $name, array $options = []): \RedisLock
	{
		return new \RedisLock($this->options->getValue(), ['name' => $name] + $options);
	}

	/**
	 * Takes a lease.
	 *
	 * @param float $wait seconds, as for \RedisLock::acquire()
	 * @return string|null its token; null: somebody else has it
	 */
	public function acquire(string $name, array $options, float $wait): ?string
	{
		// First, so that the next one gets its connection.
		$this->last = null;
		$lock = $this->lock($name, $options);
		if (!$lock->acquire($wait)) {
			return null;
		}
		// After a wait its connection may still be busy: what is under way is sent off when the object goes.
		$this->last = $wait === 0.0 ? $lock : null;

		return $lock->getToken();
	}

	/** The lease that whoever knows the token holds, or held. */
	public function restore(string $name, #[\SensitiveParameter] string $token): \RedisLock
	{
		// A forked copy of the object has no token.
		return $this->last?->getToken() === $token && $this->last->getName() === $name ? $this->last
			: \RedisLock::restore($this->options->getValue(), $name, $token);
	}
}
