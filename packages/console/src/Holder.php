<?php

declare(strict_types=1);

namespace RedisLock\Console;

/** @internal Who holds a lock, as far as the token tells. */
final class Holder
{
	private const TOKEN = '/^rlk1:([^:]*):(\d+):([^:]*):[0-9a-f]{32}(:done)?$/D';

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
		return preg_match(self::TOKEN, $token, $parts) !== 1 ? ($all ? new self($token, null, null, null, false) : null)
			: new self($token, rawurldecode($parts[1]), (int) $parts[2], $parts[3] === '' ? null : rawurldecode($parts[3]), isset($parts[4]));
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
