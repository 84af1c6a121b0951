--TEST--
The methods and their signatures are those of the contract
--EXTENSIONS--
redislock
--FILE--
<?php
foreach (array_unique((new ReflectionExtension('redislock'))->getClasses()) as $class) {
	$interfaces = array_diff($class->getInterfaceNames(), ['Throwable']);
	sort($interfaces);
	echo $class->isFinal() ? 'final ' : '', $class->getName(), ': ', implode(', ', $interfaces), "\n";
	foreach ($class->getReflectionConstants() as $constant) {
		echo "\tconst ", $constant->getName(), ' = ', $constant->getValue(), "\n";
	}
	foreach ($class->getMethods() as $method) {
		if ($method->getDeclaringClass()->getName() !== $class->getName()) {
			continue;
		}
		$parameters = [];
		foreach ($method->getParameters() as $p) {
			$parameters[] = ($p->getAttributes(SensitiveParameter::class) ? '#' : '') . $p->getType() . ' $' .
				$p->getName() .
				($p->isOptional() ? ' = ' . ($p->isDefaultValueAvailable() ?
					strtolower(json_encode($p->getDefaultValue())) : '?') : '');
		}
		echo "\t", implode(' ', Reflection::getModifierNames($method->getModifiers())), ' ', $method->getName(), '(',
			implode(', ', $parameters), ')', $method->hasReturnType() ? ': ' . $method->getReturnType() : '', "\n";
	}
}
?>
--EXPECT--
RedisLock\Lock: 
	abstract public acquire(?float $wait = null): bool
	abstract public keepAlive(?float $ttl = null): bool
	abstract public release(): bool
	abstract public synchronized(callable $code): mixed
	abstract public isHeld(): bool
	abstract public isAcquired(): bool
	abstract public remaining(): float
	abstract public getName(): string
	abstract public getFence(): ?int
RedisLock\ManagedLock: RedisLock\Lock
	abstract public forceRelease(#?string $token = null): bool
	abstract public holder(): ?array
	abstract public holders(): array
	abstract public upgrade(): bool
	abstract public downgrade(): bool
	abstract public detach(): string
	abstract public getToken(): ?string
RedisLock: RedisLock\Lock, RedisLock\ManagedLock, Stringable
	const NONBLOCKED = 0
	const BLOCKED = 1
	public __construct(#array|string $params = [], #array $options = [])
	public acquire(?float $wait = null): bool
	public keepAlive(?float $ttl = null): bool
	public release(): bool
	public synchronized(callable $code): mixed
	public isHeld(): bool
	public isAcquired(): bool
	public remaining(): float
	public forceRelease(#?string $token = null): bool
	public holder(): ?array
	public holders(): array
	public upgrade(): bool
	public downgrade(): bool
	public detach(): string
	public exec(string $program, array $args = [], #?array $env = null, float $grace = 10): never
	public static restore(#array|string $params, string $name, #string $token, #array $options = []): static
	public static setPoller(?callable $poller, bool $main = false): ?callable
	public static newToken(?string $label = null): string
	public getName(): string
	public getToken(): ?string
	public getFence(): ?int
	public __toString(): string
	public lock(string $name, int $policy = 0, #array $config = []): bool
	public unlock(string $name): bool
RedisLock\RedLock: 
	public __construct(#array $servers, int $retryDelay = 200, int $retryCount = 3, #array $options = [])
	public lock(string $resource, int $ttl): array|false
	public extend(#array $lock, ?int $ttl = null): array|false
	public unlock(#array|false $lock): bool
final SequenceTask: 
	private __construct()
	public static execute(#array $config, callable $callable): mixed
	public static current(): ?RedisLock
final RedisLock\Worker: 
	private __construct()
	public static beginRequest(): void
	public static endRequest(): array
RedisLock\Exception: Stringable
	public getNode(): ?string
	public isRetryable(): bool
RedisLock\ConnectionException: Stringable
	public getNodes(): array
RedisLock\NotAcquiredException: Stringable
	public getHolder(): ?array
	public getRemaining(): ?float
	public getNodes(): array
RedisLock\LockLostException: Stringable
	public hasResult(): bool
	public getResult(): mixed
RedisLock\RenewalException: Stringable
