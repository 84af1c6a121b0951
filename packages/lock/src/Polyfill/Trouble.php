<?php

declare(strict_types=1);

namespace RedisLock\Polyfill;

use RedisLock\Adapter\Failure;

/** @internal A server that is away, or refuses. The method that was called makes of it what the extension throws. */
final class Trouble extends \RuntimeException
{
	/**
	 * @param bool $isUnknown may the request have been executed?
	 * @param bool $isBroken is the connection gone?
	 * @param string $answer the code of the server's answer, if it was one; NOLOCK: the key holds no lock
	 */
	public function __construct(string $what, public readonly ?string $node, public readonly bool $isRetryable = true, public readonly bool $isUnknown = false,
		public readonly bool $isBroken = false, public readonly string $answer = '')
	{
		parent::__construct($what);
	}

	public function about(string $name): \RedisLock\Exception
	{
		$class = $this->answer === 'NOLOCK' ? \RedisLock\Exception::class : \RedisLock\ConnectionException::class;

		return Failure::server($class, $name, $this->getMessage(), $this->node, $this->isRetryable);
	}
}
