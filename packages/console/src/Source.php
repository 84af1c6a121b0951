<?php

declare(strict_types=1);

namespace RedisLock\Console;

use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;

/**
 * @internal Where a command has the options of its locks from.
 * @phpstan-import-type Options from \RedisLock
 */
interface Source
{
	/** Adds the command's options that options() reads. */
	public function describe(Command $command): void;

	/** @return Options as for \RedisLock */
	public function options(InputInterface $input): array;
}
