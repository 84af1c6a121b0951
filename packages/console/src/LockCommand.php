<?php

declare(strict_types=1);

namespace RedisLock\Console;

use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Exception\ExceptionInterface;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/**
 * @internal What the commands have in common: whose locks, JSON, and the exit statuses for trouble.
 * @phpstan-import-type Options from \RedisLock
 */
abstract class LockCommand extends Command
{
	/** By name, those that an application has, too, for its own locks. */
	public const ANYWHERE = ['list' => ListCommand::class, 'show' => ShowCommand::class, 'release' => ReleaseCommand::class, 'export' => ExportCommand::class,
		'doctor' => DoctorCommand::class];

	/** No attribute: Laravel would register the commands by it, and have another "list". */
	/** @var string */
	protected const NAME = '';
	/** @var string */
	protected const DESCRIPTION = '';

	/** @param string|null $name null: the one of the program redislock */
	public function __construct(protected readonly Source $source = new ServerSource(), ?string $name = null)
	{
		parent::__construct($name ?? static::NAME);
	}

	/** @return int an exit status */
	abstract protected function perform(InputInterface $input, OutputInterface $output): int;

	protected function configure(): void
	{
		$this->setDescription(static::DESCRIPTION);
		$this->source->describe($this);
		$this->addOption('json', null, InputOption::VALUE_NONE, 'Print JSON, an object a line');
	}

	protected function execute(InputInterface $input, OutputInterface $output): int
	{
		try {
			return $this->perform($input, $output);
		} catch (ServerTrouble | \RedisLock\Exception $e) {
			return $this->fail($output, ExitStatus::SERVER, $e->getMessage());
		} catch (\ValueError | \TypeError | \InvalidArgumentException | ExceptionInterface $e) {
			return $this->fail($output, ExitStatus::USAGE, $e->getMessage());
		} catch (\LogicException $e) {
			return $this->fail($output, ExitStatus::SERVER, $e->getMessage());
		}
	}

	protected function servers(InputInterface $input): Servers
	{
		$options = $this->source->options($input);
		if (\RedisLock\Adapter\Extension::isLoaded()) {
			// It says what is wrong with them.
			new \RedisLock($options);
		}

		return new Servers($options);
	}

	protected function fail(OutputInterface $output, int $status, string $message): int
	{
		$errors = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
		$errors->writeln('redislock: ' . Text::plain($message), OutputInterface::OUTPUT_RAW);

		return $status;
	}

	protected static function json(OutputInterface $output, array $row): void
	{
		$output->writeln(json_encode($row, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR |
			JSON_PRESERVE_ZERO_FRACTION), OutputInterface::OUTPUT_RAW);
	}

	protected static function text(mixed $value): string
	{
		return is_scalar($value) ? (string) $value : '';
	}
}
