<?php

declare(strict_types=1);

namespace RedisLock\Local;

use RedisLock\Adapter\LockOptions;
use RedisLock\LockFactory;
use RedisLock\ManagedLock;

/**
 * The locks of LockFactory::local(). It needs neither a server nor the extension.
 *
 * @internal
 */
final class LocalLockFactory extends LockFactory
{
	private const OPTIONS = ['name', 'prefix', 'label', 'wait', 'waitTime', 'renew'];

	private readonly Directory $directory;

	/** @param array<string, mixed> $common */
	public function __construct(string $directory, private readonly array $common = [])
	{
		$this->directory = new Directory($directory);
		$this->lock('any');
	}

	public function lock(string $name, #[\SensitiveParameter] array $options = []): LocalLock
	{
		return new LocalLock($this->directory, $this->options($name, $options));
	}

	public function managed(string $name, #[\SensitiveParameter] array $options = []): ManagedLock
	{
		throw new \LogicException('Locks of one machine have no operator: the kernel frees them when their process ends.');
	}

	public function restore(
		string $name,
		#[\SensitiveParameter] string $token,
		#[\SensitiveParameter] array $options = []
	): ManagedLock {
		throw new \LogicException('A lock of one machine belongs to its process, and cannot be taken over by another.');
	}

	protected function waitOf(array $options): float
	{
		$wait = $this->options('any', $options)->wait;

		return $wait === LockOptions::NEVER ? INF : $wait / 1000;
	}

	/** Whoever loses one is told of it once here. */
	protected function lostAsOne(#[\SensitiveParameter] array $options): array
	{
		return $options;
	}

	/** @param array<string, mixed> $options */
	private function options(string $name, array $options): LockOptions
	{
		$given = ['name' => $name] + array_filter($options, static fn (mixed $value): bool => $value !== null) + $this->common;
		foreach ($given as $option => $value) {
			if ($value !== null && !in_array($option, self::OPTIONS, true)) {
				throw new \ValueError("Option \"$option\" makes no sense for locks of one machine, which have " .
					implode(', ', array_map(static fn (string $known): string => "\"$known\"", self::OPTIONS)) . '.');
			}
		}

		return (new LockOptions($given))->bound();
	}
}
