<?php

declare(strict_types=1);

namespace RedisLock\Console;

use RedisLock\Adapter\Token;

/** @internal Who holds a lock, as far as the token tells. */
final class Holder
{
	/** @param string|null $host null: the token is another library's */
	private function __construct(
		public readonly string $token,
		public readonly ?string $host,
		public readonly ?int $pid,
		public readonly ?string $label,
		public readonly bool $resting,
		public readonly ?float $ttl = null,
		public readonly int $weight = 1
	) {
	}

	/**
	 * @param bool $all whether tokens of other libraries count
	 * @return self|null null: it is none
	 */
	public static function of(string $token, bool $all): ?self
	{
		$read = Token::read($token);

		return $read['host'] === null && !$all ? null : new self($token, ...$read);
	}

	public function until(?float $ttl, int $weight = 1): self
	{
		return new self($this->token, $this->host, $this->pid, $this->label, $this->resting, $ttl, $weight);
	}

	/** @return array{host: ?string, pid: ?int, label: ?string, ttl: ?float, weight: int} never the token: whoever knows it can release the lock */
	public function toArray(): array
	{
		return ['host' => $this->host, 'pid' => $this->pid, 'label' => $this->label, 'ttl' => $this->ttl, 'weight' => $this->weight];
	}
}
