<?php
/* Made from redislock.stub.php, which describes it, by scripts/dev/api.php: for code that runs without the extension. */

namespace RedisLock;

interface Lock
{
	#[\NoDiscard]
	public function acquire(?float $wait = null): bool;
	#[\NoDiscard]
	public function keepAlive(?float $ttl = null): bool;
	public function release(): bool;
	public function synchronized(callable $code): mixed;
	public function isHeld(): bool;
	public function isAcquired(): bool;
	public function remaining(): float;
	public function getName(): string;
	public function getFence(): ?int;
}
