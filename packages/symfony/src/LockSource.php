<?php

declare(strict_types=1);

namespace RedisLock\Symfony;

use Psr\Container\ContainerInterface;
use RedisLock\Console\Source;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/**
 * @internal The locks of the configuration "redislock", for the commands of redislock.
 * @phpstan-import-type Options from \RedisLock
 */
final class LockSource implements Source
{
	/** @param ContainerInterface $locks options of the configured locks, by name; "" for those of all */
	public function __construct(private readonly ContainerInterface $locks)
	{
	}

	public function describe(Command $command): void
	{
		$command->addOption('lock', null, InputOption::VALUE_REQUIRED, 'The name below "redislock.locks" whose server it is; if not given, the server of all');
	}

	public function options(InputInterface $input): array
	{
		$name = $input->getOption('lock');
		$name = is_string($name) ? $name : '';
		if (!$this->locks->has($name)) {
			throw new \InvalidArgumentException("The configuration \"redislock\" has no lock \"$name\".");
		}
		/** @var \SensitiveParameterValue $service see StoreFactory::options() */
		$service = $this->locks->get($name);
		/** @var Options|null $options */
		$options = $service->getValue();

		return $options ?? throw new \InvalidArgumentException('These locks are in memory, where nobody else sees them.');
	}
}
