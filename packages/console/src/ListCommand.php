<?php

declare(strict_types=1);

namespace RedisLock\Console;

use Symfony\Component\Console\Formatter\OutputFormatter;
use Symfony\Component\Console\Helper\Table;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;
use Symfony\Component\Console\Output\StreamOutput;
use Symfony\Component\Console\Terminal;

/** Lists the locks that somebody holds. */
final class ListCommand extends LockCommand
{
	protected const NAME = 'list';
	protected const DESCRIPTION = 'Lists the locks that somebody holds';

	/** Names of the columns, and how wide they are at most; the name gets what is left. */
	private const COLUMNS = ['NAME' => 12, 'HOST' => 16, 'PID' => 7, 'LABEL' => 10, 'TTL' => 5, 'WAIT' => 4, 'HELD' => 4];
	/** Locks that are shown at once. */
	private const PAGE = 500;

	protected function configure(): void
	{
		parent::configure();
		$this->addOption('match', 'm', InputOption::VALUE_REQUIRED, 'Only names like this, with *, ? and [a-z]', '*');
		$this->addOption('all', 'a', InputOption::VALUE_NONE, 'Also strings that are no tokens of redislock: locks of other libraries, and whatever else is there');
	}

	protected function perform(InputInterface $input, OutputInterface $output): int
	{
		$inventory = new Inventory($this->servers($input), (bool) $input->getOption('all'));
		$rows = [];
		$head = true;
		foreach ($inventory->locks(self::text($input->getOption('match'))) as $lock) {
			if ($input->getOption('json')) {
				self::json($output, $lock->toArray());
				continue;
			}
			$holder = $lock->holder();
			$rows[] = array_map(Text::plain(...), [$lock->name, $holder['resting'] ? '(rests)' : $holder['host'] ?? '(other)', (string) $holder['pid'], (string) $holder['label'],
				$lock->ttl === null ? 'never' : Text::time($lock->ttl), $lock->waited ? 'yes' : '', (string) $lock->held()]);
			if (count($rows) >= self::PAGE) {
				self::show($output, $rows, $head);
				[$head, $rows] = [false, []];
			}
		}
		if ($rows !== []) {
			self::show($output, $rows, $head);
		}

		return self::SUCCESS;
	}

	/**
	 * In columns for a terminal, which are cut to its width; else with tabs between, and whole.
	 *
	 * @param list<list<string>> $rows
	 */
	private static function show(OutputInterface $output, array $rows, bool $head): void
	{
		$names = array_keys(self::COLUMNS);
		if (!$output instanceof StreamOutput || !stream_isatty($output->getStream())) {
			$output->writeln(array_map(static fn (array $row): string => implode("\t", $row), $head ? [$names, ...$rows] : $rows), OutputInterface::OUTPUT_RAW);

			return;
		}
		$widths = array_values(self::COLUMNS);
		$widths[0] = max($widths[0], (new Terminal())->getWidth() - array_sum($widths) - count($widths) + $widths[0]);
		$cut = static fn (string $cell, int $width): string => OutputFormatter::escape(mb_strimwidth($cell, 0, $width, '~', 'UTF-8'));
		$table = (new Table($output))->setStyle('compact')->setRows(array_map(static fn (array $row): array => array_map($cut, $row, $widths), $rows));
		($head ? $table->setHeaders($names) : $table)->render();
	}
}
