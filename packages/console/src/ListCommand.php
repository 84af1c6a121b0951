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

/** Lists the locks that somebody holds, once or over and over. */
final class ListCommand extends LockCommand
{
	protected const NAME = 'list';
	protected const DESCRIPTION = 'Lists the locks that somebody holds';

	private const CLEAR = "\e[H\e[2J";
	/** Names of the columns, and how wide they are at most; the name gets what is left. */
	private const COLUMNS = ['NAME' => 12, 'HOST' => 16, 'PID' => 7, 'LABEL' => 10, 'AGE' => 5, 'TTL' => 5, 'WAIT' => 4, 'HELD' => 4];
	/** Locks that are shown at once. */
	private const PAGE = 500;
	/** Lines of the screen that are no locks. */
	private const FRAME = 4;

	protected function configure(): void
	{
		parent::configure();
		$this->addOption('match', 'm', InputOption::VALUE_REQUIRED, 'Only names like this, with *, ? and [a-z]', '*');
		$this->addOption('all', 'a', InputOption::VALUE_NONE, 'Also strings that are no tokens of redislock: locks of other libraries, and whatever else is there');
		$this->addOption('watch', 'w', InputOption::VALUE_OPTIONAL, 'Go on, every so many seconds', false);
	}

	protected function perform(InputInterface $input, OutputInterface $output): int
	{
		$inventory = new Inventory($this->servers($input), (bool) $input->getOption('all'));
		$match = self::text($input->getOption('match'));
		$json = (bool) $input->getOption('json');
		$every = self::every($input, 2);
		if ($every === null) {
			return $this->once($inventory->locks($match), $json, $output);
		}

		$this->watch($inventory, $match, $json, $every, $output);
	}

	/** @param iterable<HeldLock> $locks */
	private function once(iterable $locks, bool $json, OutputInterface $output): int
	{
		$rows = [];
		$head = true;
		foreach ($locks as $lock) {
			if ($json) {
				self::json($output, $lock->toArray());
				continue;
			}
			$rows[] = self::row($lock);
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

	/** On a terminal those that are waited for first, as many as there is room for; elsewhere all, one listing behind the other. */
	private function watch(Inventory $inventory, string $match, bool $json, float $every, OutputInterface $output): never
	{
		/** @var array<string, float> $since when a holder was seen first */
		$since = [];
		while (true) {
			$isTerminal = self::isTerminal($output);
			$now = hrtime(true) / 1e9;
			$locks = [];
			$seen = [];
			foreach ($inventory->locks($match) as $lock) {
				$holder = $lock->name . "\0" . $lock->holder()->token;
				$seen[$holder] = $since[$holder] ?? $now;
				$locks[] = [$lock, $now - $seen[$holder]];
			}
			$since = $seen;
			if ($json) {
				foreach ($locks as [$lock, $age]) {
					self::json($output, $lock->toArray() + ['age' => round($age, 3)]);
				}
			} else {
				usort($locks, static fn (array $a, array $b): int => $b[0]->waited <=> $a[0]->waited ?: strcmp($a[0]->name, $b[0]->name));
				$waited = count(array_filter($locks, static fn (array $row): bool => $row[0]->waited));
				$output->writeln(($isTerminal ? self::CLEAR : '') . sprintf('%s  %d locks, %d of them waited for', date('H:i:s'), count($locks), $waited), OutputInterface::OUTPUT_RAW);
				$room = $isTerminal ? max(1, (new Terminal())->getHeight() - self::FRAME) : count($locks);
				self::show($output, array_map(static fn (array $row): array => self::row(...$row), array_slice($locks, 0, $room)), true, true);
				if (count($locks) > $room) {
					$output->writeln(sprintf('and %d more', count($locks) - $room));
				}
			}
			usleep((int) ($every * 1e6));
		}
	}

	/**
	 * @param float|null $age seconds since the lock was first seen with this holder
	 * @return array<string, string> by the names of the columns
	 */
	private static function row(HeldLock $lock, ?float $age = null): array
	{
		$holder = $lock->holder();
		$cells = [$lock->name, $holder->resting ? '(rests)' : $holder->host ?? '(other)', (string) $holder->pid, (string) $holder->label,
			$age === null ? '' : Text::time($age), $lock->ttl === null ? 'never' : Text::time($lock->ttl), $lock->waited ? 'yes' : '', (string) $lock->held()];
		$row = array_combine(array_keys(self::COLUMNS), array_map(Text::plain(...), $cells));

		return $age === null ? array_diff_key($row, ['AGE' => 0]) : $row;
	}

	/**
	 * In columns for a terminal, which are cut to its width; else with tabs between, and whole.
	 *
	 * @param list<array<string, string>> $rows
	 */
	private static function show(OutputInterface $output, array $rows, bool $head, bool $withAge = false): void
	{
		$widths = $withAge ? self::COLUMNS : array_diff_key(self::COLUMNS, ['AGE' => 0]);
		if (!self::isTerminal($output)) {
			$lines = array_map(static fn (array $row): string => implode("\t", $row), $rows);
			$output->writeln($head ? [implode("\t", array_keys($widths)), ...$lines] : $lines, OutputInterface::OUTPUT_RAW);

			return;
		}
		$widths['NAME'] = max($widths['NAME'], (new Terminal())->getWidth() - array_sum($widths) - count($widths) + $widths['NAME']);
		$cut = static fn (string $cell, int $width): string => OutputFormatter::escape(mb_strimwidth($cell, 0, $width, '~', 'UTF-8'));
		$table = (new Table($output))->setStyle('compact')->setRows(array_map(static fn (array $row): array => array_map($cut, $row, $widths), $rows));
		($head ? $table->setHeaders(array_keys($widths)) : $table)->render();
	}

	private static function isTerminal(OutputInterface $output): bool
	{
		return $output instanceof StreamOutput && stream_isatty($output->getStream());
	}
}
