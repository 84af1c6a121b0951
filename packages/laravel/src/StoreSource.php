<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use RedisLock\Console\Source;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** @internal The locks of a cache store, for the commands of redislock. */
final class StoreSource implements Source
{
	public function __construct(private readonly ProcessStores $stores)
	{
	}

	public function describe(Command $command): void
	{
		$command->addOption('store', null, InputOption::VALUE_REQUIRED, 'The cache store; if not given, the one of the application with locks of redislock');
	}

	public function options(InputInterface $input): array
	{
		$name = $input->getOption('store');
		$store = $this->stores->find(is_string($name) ? $name : null);
		if ($store === null) {
			throw new \InvalidArgumentException('This cache store has no locks on a server: its driver is not "redislock", or this is a test.');
		}

		return $store->serverOptions();
	}
}
