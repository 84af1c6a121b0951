<?php

declare(strict_types=1);

namespace RedisLock\Console;

use Symfony\Component\Console\Helper\QuestionHelper;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;
use Symfony\Component\Console\Question\ConfirmationQuestion;

/**
 * Releases a lock that somebody else holds. It asks first, and then releases it from the holders that it has shown, and from no
 * later ones.
 */
final class ReleaseCommand extends LockCommand
{
	protected const NAME = 'release';
	protected const DESCRIPTION = 'Releases a lock, whoever holds it';

	protected function configure(): void
	{
		parent::configure();
		$this->addArgument('name', InputArgument::REQUIRED, 'The name of the lock');
		$this->addOption('force', 'f', InputOption::VALUE_NONE, 'Do not ask');
	}

	protected function perform(InputInterface $input, OutputInterface $output): int
	{
		$name = self::text($input->getArgument('name'));
		$options = $this->source->options($input);
		if ($input->getOption('force')) {
			return $this->tell((new \RedisLock($options, ['name' => $name]))->forceRelease(), $name, $input, $output);
		}
		if (!$input->isInteractive() || !defined('STDIN') || !stream_isatty(\STDIN)) {
			return $this->fail($output, ExitStatus::USAGE, 'nobody is there to be asked: --force releases the lock without a question');
		}
		$lock = (new Inventory($this->servers($input)))->lock($name);
		if ($lock === null) {
			return $this->tell(false, $name, $input, $output);
		}
		$output->writeln(Text::plain($name) . ' is held by ' . implode(', ', array_map(Text::holder(...), $lock->holders)) . '.', OutputInterface::OUTPUT_RAW);
		/** @var QuestionHelper $helper */
		$helper = $this->getHelper('question');
		if (!$helper->ask($input, $output, new ConfirmationQuestion('The holder may be in the middle of its work. Release the lock? [y/N] ', false))) {
			$output->writeln('It stays.');

			return ExitStatus::NO;
		}
		$released = array_filter($lock->holders, static fn (array $holder): bool => (new \RedisLock($options, ['name' => $name]))->forceRelease($holder['token']));

		return $this->tell($released !== [], $name, $input, $output);
	}

	private function tell(bool $released, string $name, InputInterface $input, OutputInterface $output): int
	{
		if ($input->getOption('json')) {
			self::json($output, ['name' => $name, 'released' => $released]);
		} else {
			$output->writeln(Text::plain($released ? "Released $name." : "Nobody holds $name, or no longer the same process."), OutputInterface::OUTPUT_RAW);
		}

		return $released ? self::SUCCESS : ExitStatus::NO;
	}
}
