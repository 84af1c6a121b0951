<?php

declare(strict_types=1);

namespace RedisLock\Console;

/**
 * What a server answers in place of a reply: one of its errors. It is a value, since those behind it in the same pipeline count.
 *
 * @internal
 */
final class ServerError
{
	public function __construct(public readonly string $text)
	{
	}

	/** Of a Cluster: another node has the key. */
	public function isElsewhere(): bool
	{
		return str_starts_with($this->text, 'MOVED ');
	}

	/** Whether the user lacks a right. */
	public function isDenied(): bool
	{
		return str_starts_with($this->text, 'NOPERM') || str_starts_with($this->text, 'ERR unknown command');
	}

	public function isOfAnotherType(): bool
	{
		return str_starts_with($this->text, 'WRONGTYPE');
	}
}
