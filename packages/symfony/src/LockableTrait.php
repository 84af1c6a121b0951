<?php

declare(strict_types=1);

namespace RedisLock\Symfony;

use Symfony\Component\Console\Command\LockableTrait as SymfonyLockableTrait;
use Symfony\Component\DependencyInjection\Attribute\Target;
use Symfony\Component\Lock\LockFactory;
use Symfony\Contracts\Service\Attribute\Required;

/**
 * Symfony's LockableTrait for console commands, with the lock "command" of RedisLockBundle. It excludes the command on all
 * hosts, lives as long as the process, and is free at once when the process is killed.
 */
trait LockableTrait
{
	use SymfonyLockableTrait;

	#[Required]
	public function setLockFactory(#[Target('command.lock.factory')] LockFactory $factory): void
	{
		if (!property_exists(self::class, 'lockFactory')) {
			throw new \LogicException('This trait needs Symfony 7.4: the one of Symfony 6.4 takes no factory, and locks on one host.');
		}
		$this->lockFactory = $factory;
	}
}
