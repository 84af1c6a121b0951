<?php

declare(strict_types=1);

namespace RedisLock\Console;

use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;
use Symfony\Component\Console\Terminal;

/**
 * Lists the locks that somebody holds, once or over and over.
 */
final class ListCommand extends LockCommand
{
	protected const NAME = 'list';
	protected const DESCRIPTION = 'Lists the locks that somebody holds';

	private const CLEAR = "\e[H\e[2J";
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
		$every = $input->getOption('watch');
		if ($every === false) {
			return $this->once($inventory->locks($match), $json, $output);
		}
		if ($every !== null && (!is_numeric($every) || $every < 0.1 || $every > 3600)) {
			return $this->fail($output, ExitStatus::USAGE, '--watch takes seconds, from 0.1 to 3600');
		}

		$this->watch($inventory, $match, $json, (float) ($every ?? 2), $output);
	}

	/** @param iterable<HeldLock> $locks */
	private function once(iterable $locks, bool $json, OutputInterface $output): int
	{
		$table = new Table(Table::width($output), false);
		$head = $table->head();
		$lines = [];
		foreach ($locks as $lock) {
			if ($json) {
				self::json($output, $lock->toArray());
				continue;
			}
			$lines[] = $table->row($lock);
			if (count($lines) >= 500) {
				$output->writeln([...($head === '' ? [] : [$head]), ...$lines], OutputInterface::OUTPUT_RAW);
				[$head, $lines] = ['', []];
			}
		}
		if ($lines !== []) {
			$output->writeln([...($head === '' ? [] : [$head]), ...$lines], OutputInterface::OUTPUT_RAW);
		}

		return self::SUCCESS;
	}

	/** On a terminal those that are waited for first, as many as there is room for; elsewhere all, one listing behind the other. */
	private function watch(Inventory $inventory, string $match, bool $json, float $every, OutputInterface $output): never
	{
		/** @var array<string, float> $since when a holder was seen first */
		$since = [];
		while (true) {
			$width = Table::width($output);
			$table = new Table($width, true);
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
				$lines = [sprintf('%s  %d locks, %d of them waited for', date('H:i:s'), count($locks), $waited), $table->head()];
				$room = $width === null ? count($locks) : max(1, (new Terminal())->getHeight() - self::FRAME);
				foreach (array_slice($locks, 0, $room) as [$lock, $age]) {
					$lines[] = $table->row($lock, $age);
				}
				if (count($locks) > $room) {
					$lines[] = sprintf('and %d more', count($locks) - $room);
				}
				$output->write(($width === null ? '' : self::CLEAR) . implode("\n", $lines) . "\n", false, OutputInterface::OUTPUT_RAW);
			}
			usleep((int) ($every * 1e6));
		}
	}
}
