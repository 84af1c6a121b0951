<?php
/*
 * For PHPStan, which looks at a trait only where a class uses it.
 */

declare(strict_types=1);

use RedisLock\Symfony\LockableTrait;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

final class LockedCommand extends Command
{
	use LockableTrait;

	protected function execute(InputInterface $input, OutputInterface $output): int
	{
		if (!$this->lock()) {
			return self::FAILURE;
		}
		$this->release();

		return self::SUCCESS;
	}
}
