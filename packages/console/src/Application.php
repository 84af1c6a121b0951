<?php

declare(strict_types=1);

namespace RedisLock\Console;

use Symfony\Component\Console\Application as SymfonyApplication;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Command\CompleteCommand;
use Symfony\Component\Console\Command\DumpCompletionCommand;
use Symfony\Component\Console\Command\HelpCommand;
use Symfony\Component\Console\CommandLoader\FactoryCommandLoader;
use Symfony\Component\Console\Exception\CommandNotFoundException;
use Symfony\Component\Console\Exception\ExceptionInterface;
use Symfony\Component\Console\Helper\DescriptorHelper;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\ConsoleOutput;
use Symfony\Component\Console\Output\OutputInterface;

/** @internal The program redislock. */
final class Application extends SymfonyApplication
{
	private const VERSION = '0.1.0';

	public function __construct()
	{
		parent::__construct('redislock', self::VERSION);
		$this->setCommandLoader(new FactoryCommandLoader(array_map(static fn (string $class): \Closure => static fn (): Command => new $class(),
			['run' => RunCommand::class] + LockCommand::ANYWHERE)));
		$this->setCatchExceptions(false);
	}

	/** Without a command: says which there are. */
	public function doRun(InputInterface $input, OutputInterface $output): int
	{
		if ($this->getCommandName($input) !== null || $input->hasParameterOption(['--version', '-V'], true)) {
			return parent::doRun($input, $output);
		}
		(new DescriptorHelper())->describe($output, $this);

		return Command::SUCCESS;
	}

	/** Does not offer to run what was not asked for. */
	public function find(string $name): Command
	{
		try {
			return parent::find($name);
		} catch (CommandNotFoundException) {
			throw new CommandNotFoundException("there is no command \"$name\": " . implode(', ', ['run', ...array_keys(LockCommand::ANYWHERE), 'help']));
		}
	}

	public function run(?InputInterface $input = null, ?OutputInterface $output = null): int
	{
		try {
			$this->setAutoExit(false);

			return parent::run($input, $output);
		} catch (ExceptionInterface $e) {
			$errors = ($output ?? new ConsoleOutput());
			$errors = $errors instanceof ConsoleOutput ? $errors->getErrorOutput() : $errors;
			$errors->writeln('redislock: ' . Text::plain($e->getMessage()), OutputInterface::OUTPUT_RAW);

			return ExitStatus::USAGE;
		}
	}

	/** Symfony's own "list", which lists commands, is ours, which lists locks; "help" says the rest. */
	protected function getDefaultCommands(): array
	{
		return [new HelpCommand(), new CompleteCommand(), new DumpCompletionCommand()];
	}
}
