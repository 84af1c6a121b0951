<?php

declare(strict_types=1);

namespace RedisLock\Console;

use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/** Shows who holds a lock. */
final class ShowCommand extends LockCommand
{
	protected const NAME = 'show';
	protected const DESCRIPTION = 'Shows who holds a lock';

	protected function configure(): void
	{
		parent::configure();
		$this->addArgument('name', InputArgument::REQUIRED, 'The name of the lock');
	}

	protected function perform(InputInterface $input, OutputInterface $output): int
	{
		$name = self::text($input->getArgument('name'));
		$lock = (new Inventory($this->servers($input)))->lock($name);
		if ($lock === null) {
			if ($input->getOption('json')) {
				self::json($output, ['name' => $name, 'holders' => []]);
			} else {
				$output->writeln('Nobody holds ' . Text::plain($name) . '.', OutputInterface::OUTPUT_RAW);
			}

			return ExitStatus::NO;
		}
		if ($input->getOption('json')) {
			self::json($output, $lock->toArray() + ['fence' => $lock->fence]);

			return self::SUCCESS;
		}
		$lines = ['name     ' . Text::plain($lock->name), "kind     $lock->kind"];
		foreach ($lock->holders as $holder) {
			$lines[] = 'holder   ' . Text::holder($holder) . ($lock->kind === HeldLock::PLAIN ? '' : ($holder['resting'] ? '' : ", $holder[weight] held") . ', for ' . Text::time($holder['ttl']));
		}
		if ($lock->kind === HeldLock::SET) {
			$lines[] = 'permits  ' . $lock->held() . ' held';
		}
		$lines[] = 'ttl      ' . ($lock->ttl === null ? 'none: it never ends by itself' : Text::time($lock->ttl));
		$lines[] = 'waiters  ' . ($lock->waited ? 'yes, now or within the last minute' : 'none');
		if ($lock->fence !== null) {
			$lines[] = "fence    $lock->fence";
		}
		$output->writeln($lines, OutputInterface::OUTPUT_RAW);

		return self::SUCCESS;
	}
}
