<?php
/* Made from redislock.stub.php, which describes it, by scripts/dev/api.php: for code that runs without the extension. */

namespace RedisLock;

interface ManagedLock extends Lock
{
	public function forceRelease(#[\SensitiveParameter] ?string $token = null): bool;
	public function holder(): ?array;
	public function holders(): array;
	public function upgrade(): bool;
	public function downgrade(): bool;
	public function detach(): string;
	public function getToken(): ?string;
}
