<?php

declare(strict_types=1);

namespace RedisLock\Console;

/**
 * A lock that somebody holds.
 *
 * @internal
 */
final class HeldLock
{
	/**
	 * @param string $kind "plain", or "many": permits or a shared lock
	 * @param non-empty-list<Holder> $holders
	 * @param float|null $ttl seconds; null: it has no expiry
	 * @param bool $waited somebody waits, or has waited within the last minute
	 */
	public function __construct(
		public readonly string $name,
		public readonly string $kind,
		public readonly array $holders,
		public readonly ?float $ttl,
		public readonly bool $waited,
		public readonly ?int $fence = null
	) {
	}

	public function holder(): Holder
	{
		return $this->holders[0];
	}

	public function withFence(?int $fence): self
	{
		return new self($this->name, $this->kind, $this->holders, $this->ttl, $this->waited, $fence);
	}

	/** @return array<string, mixed> */
	public function toArray(): array
	{
		$resting = $this->holder()->resting;

		return ['name' => $this->name, 'kind' => $this->kind] + array_diff_key($this->holder()->toArray(), ['ttl' => 0]) + [
			'ttl' => $this->ttl, 'waited' => $this->waited, 'resting' => $resting,
			'holders' => $resting ? [] : array_map(static fn (Holder $holder): array => $holder->toArray(), $this->holders),
		];
	}
}
