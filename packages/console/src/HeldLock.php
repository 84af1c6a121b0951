<?php

declare(strict_types=1);

namespace RedisLock\Console;

/**
 * @internal A lock that somebody holds.
 * @phpstan-type Holder array{token: string, host: ?string, pid: ?int, label: ?string, resting: bool, ttl: ?float, weight: int}
 */
final class HeldLock
{
	public const PLAIN = 'plain';
	/** Of permits or shared: the server keeps both alike, and only those who acquire know which. */
	public const SET = 'set';

	/** What is told of a holder: never the token, since whoever knows it can release the lock. */
	private const TOLD = ['host' => 0, 'pid' => 0, 'label' => 0, 'ttl' => 0, 'weight' => 0];

	public ?int $fence = null;

	/**
	 * @param self::PLAIN|self::SET $kind
	 * @param non-empty-list<Holder> $holders
	 * @param float|null $ttl seconds; null: it has no expiry
	 * @param bool $waited somebody waits, or has waited within the last minute
	 */
	public function __construct(
		public readonly string $name,
		public readonly string $kind,
		public readonly array $holders,
		public readonly ?float $ttl,
		public readonly bool $waited
	) {
	}

	/** @return Holder the one that ends first */
	public function holder(): array
	{
		return $this->holders[0];
	}

	/** How much is held: the weights together. A lock that rests is held by nobody. */
	public function held(): int
	{
		return array_sum(array_map(static fn (array $holder): int => $holder['resting'] ? 0 : $holder['weight'], $this->holders));
	}

	public function toArray(): array
	{
		$resting = $this->held() === 0;

		return ['name' => $this->name, 'kind' => $this->kind] + array_diff_key(array_intersect_key($this->holder(), self::TOLD), ['ttl' => 0, 'weight' => 0]) + [
			'ttl' => $this->ttl, 'waited' => $this->waited, 'resting' => $resting, 'permits' => $this->held(),
			'holders' => array_map(static fn (array $holder): array => array_intersect_key($holder, self::TOLD),
				array_values(array_filter($this->holders, static fn (array $holder): bool => !$holder['resting']))),
		];
	}
}
