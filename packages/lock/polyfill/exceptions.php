<?php
/*
 * The exceptions of the extension, for code that runs without it: unit tests on a machine that has no redislock. Composer
 * loads this file only where the classes are not there already. What they promise is in docs/reference/api.md.
 */

namespace RedisLock;

class Exception extends \RuntimeException
{
	private ?string $node = null;
	private bool $retryable = false;

	public function getNode(): ?string
	{
		return $this->node;
	}

	public function isRetryable(): bool
	{
		return $this->retryable;
	}
}

class ConnectionException extends Exception
{
	private array $nodes = [];

	public function getNodes(): array
	{
		return $this->nodes;
	}
}

class NotAcquiredException extends Exception
{
	private ?array $holder = null;
	private array $nodes = [];

	public function getHolder(): ?array
	{
		return $this->holder;
	}

	public function getRemaining(): ?float
	{
		return $this->holder['ttl'] ?? null;
	}

	public function getNodes(): array
	{
		return $this->nodes;
	}
}

class LockLostException extends Exception
{
	private bool $finished = false;
	private mixed $result = null;

	public function hasResult(): bool
	{
		return $this->finished;
	}

	public function getResult(): mixed
	{
		return $this->result;
	}
}

class RenewalException extends Exception
{
}
