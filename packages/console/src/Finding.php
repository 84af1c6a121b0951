<?php

declare(strict_types=1);

namespace RedisLock\Console;

/** @internal What the doctor has to say. */
final class Finding
{
	/** Locks can be lost, or work badly. */
	public const PROBLEM = 'problem';
	/** Fine for many, and worth knowing. */
	public const NOTE = 'note';

	/**
	 * @param string $check a word for programs
	 * @param string $found what there is
	 * @param string $advice what it means, and what to do
	 * @param string|null $server null: this process
	 */
	public function __construct(
		public readonly string $level,
		public readonly string $check,
		public readonly string $found,
		public readonly string $advice,
		public readonly ?string $server = null
	) {
	}

	public function toArray(): array
	{
		return ['check' => $this->check, 'level' => $this->level, 'server' => $this->server, 'found' => $this->found, 'advice' => $this->advice];
	}
}
