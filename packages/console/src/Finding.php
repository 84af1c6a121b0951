<?php

declare(strict_types=1);

namespace RedisLock\Console;

/** @internal What the doctor has to say. */
final class Finding
{
	/**
	 * @param bool $isProblem locks can be lost, or work badly; else it is fine for many, and worth knowing
	 * @param string $check a word for programs
	 * @param string $advice what it means, and what to do
	 * @param string|null $server null: this process
	 */
	public function __construct(
		public readonly bool $isProblem,
		public readonly string $check,
		public readonly string $found,
		public readonly string $advice,
		public readonly ?string $server = null
	) {
	}

	public function level(): string
	{
		return $this->isProblem ? 'problem' : 'note';
	}

	/** @return array<string, mixed> */
	public function toArray(): array
	{
		return ['check' => $this->check, 'level' => $this->level(), 'server' => $this->server, 'found' => $this->found, 'advice' => $this->advice];
	}
}
