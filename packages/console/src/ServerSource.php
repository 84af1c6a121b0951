<?php

declare(strict_types=1);

namespace RedisLock\Console;

use RedisLock\Options;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** @internal The servers of the command line, of the environment, or of php.ini. */
final class ServerSource implements Source
{
	private const VARIABLE = 'REDISLOCK_SERVER';

	public function describe(Command $command): void
	{
		$command->addOption('server', 's', InputOption::VALUE_REQUIRED | InputOption::VALUE_IS_ARRAY, 'A URI; several: most of them must have a lock. ' .
			'If not given: <info>' . self::VARIABLE . '</info>, which may have several with blanks between, or <info>redislock.server</info> of php.ini');
		$command->addOption('prefix', null, InputOption::VALUE_REQUIRED, 'What keys begin with');
	}

	public function options(InputInterface $input): array
	{
		/** @var list<string> $servers */
		$servers = $input->getOption('server');
		$variable = getenv(self::VARIABLE);
		if ($servers === [] && $variable !== false) {
			$servers = preg_split('/\s+/', trim($variable)) ?: [];
		}
		$each = array_map(Options::from(...), $servers);
		$options = count($servers) > 1 ? ['servers' => $each] : $each[0] ?? [];
		$prefix = $input->getOption('prefix');

		return is_string($prefix) ? ['prefix' => $prefix] + $options : $options;
	}
}
