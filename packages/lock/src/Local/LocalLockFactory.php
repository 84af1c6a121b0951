<?php

declare(strict_types=1);

namespace RedisLock\Local;

use RedisLock\Adapter\AllLocks;
use RedisLock\Adapter\LockOptions;
use RedisLock\Lock;
use RedisLock\Locks;

/** @internal The locks of LockFactory::local(). It needs neither a server nor the extension. */
final class LocalLockFactory implements Locks
{
	private const OPTIONS = ['name', 'prefix', 'label', 'wait', 'waitTime', 'renew'];

	private readonly Directory $directory;

	public function __construct(string $directory, private readonly array $common = [])
	{
		$this->directory = new Directory($directory);
		$this->lock('any');
	}

	public function lock(string $name, #[\SensitiveParameter] array $options = []): LocalLock
	{
		return new LocalLock($this->directory, $this->options($name, $options));
	}

	public function run(string $name, callable $code, #[\SensitiveParameter] array $options = []): mixed
	{
		return $this->lock($name, $options)->synchronized($code);
	}

	public function all(array $names, #[\SensitiveParameter] array $options = []): Lock
	{
		return new AllLocks($this, $names, $options, $this->options('any', $options), static fn (): float => hrtime(true) / 1e9);
	}

	private function options(string $name, array $options): LockOptions
	{
		foreach (array_filter($options + $this->common, static fn (mixed $value): bool => $value !== null) as $option => $value) {
			if (!in_array($option, self::OPTIONS, true)) {
				throw new \ValueError("Option \"$option\" makes no sense for locks of one machine, which have " .
					implode(', ', array_map(static fn (string $known): string => "\"$known\"", self::OPTIONS)) . '.');
			}
		}

		return (new LockOptions([['name' => $name], array_diff_key($options, ['name' => 0]), $this->common]))->bound();
	}
}
