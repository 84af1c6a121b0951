<?php

declare(strict_types=1);

namespace RedisLock\Console;

use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Completion\CompletionInput;
use Symfony\Component\Console\Completion\CompletionSuggestions;
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
	/** No attribute: Laravel would register the commands by it, and have another "list". */
	/** @var string */
	protected const NAME = '';
	/** @var string */
	protected const DESCRIPTION = '';
	/** Names that a shell is offered. */
	private const OFFERED = 200;

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

	public function complete(CompletionInput $input, CompletionSuggestions $suggestions): void
	{
		if (!$input->mustSuggestArgumentValuesFor('name')) {
			return;
		}
		try {
			foreach ((new Inventory($this->servers($input)))->locks(addcslashes($input->getCompletionValue(), '*?[]\\^') . '*') as $i => $lock) {
				$suggestions->suggestValue($lock->name);
				if ($i >= self::OFFERED) {
					break;
				}
			}
		} catch (\Exception | \Error) {
			// Whoever presses a key is not to see trouble with a server.
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

	/** The seconds of --watch; null: once only. */
	protected static function every(InputInterface $input, float $usual): ?float
	{
		$every = $input->getOption('watch');
		if ($every !== null && $every !== false && (!is_numeric($every) || $every < 0.1 || $every > 3600)) {
			throw new \InvalidArgumentException('--watch takes seconds, from 0.1 to 3600');
		}

		return $every === false ? null : (float) ($every ?? $usual);
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
