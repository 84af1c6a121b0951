<?php

declare(strict_types=1);

namespace RedisLock\Console;

use Symfony\Component\Console\Output\OutputInterface;

/**
 * Locks in lines: in columns for a terminal, which are cut to its width; else with tabs between, and whole.
 *
 * Not the table of symfony/console, which wants all rows first, and takes seconds for 10,000.
 *
 * @internal
 */
final class Table
{
	private const COLUMNS = ['NAME' => 0, 'HOST' => 16, 'PID' => 7, 'LABEL' => 10, 'AGE' => 5, 'TTL' => 5, 'WAIT' => 4, 'HELD' => 4];
	private const NAME_MIN = 12;

	/** @param int|null $width of the terminal; null: there is none */
	public function __construct(private readonly ?int $width, private readonly bool $withAge)
	{
	}

	public function head(): string
	{
		return $this->line(array_keys(self::COLUMNS));
	}

	/** @param float|null $age seconds since the lock was first seen with this holder */
	public function row(HeldLock $lock, ?float $age = null): string
	{
		$holder = $lock->holder();
		$host = match (true) {
			$holder->resting => '(rests)',
			$holder->host === null => '(other)',
			default => $holder->host,
		};

		return $this->line([$lock->name, $host, (string) $holder->pid, (string) $holder->label, $age === null ? '' : Text::time($age),
			$lock->ttl === null ? 'never' : Text::time($lock->ttl), $lock->waited ? 'yes' : '', (string) $lock->held()]);
	}

	/** @param list<string> $cells */
	private function line(array $cells): string
	{
		$cells = array_map(Text::plain(...), $cells);
		if ($this->width === null) {
			unset($cells[$this->withAge ? -1 : 4]);

			return implode("\t", $cells);
		}
		$widths = array_values(self::COLUMNS);
		if (!$this->withAge) {
			unset($widths[4]);
		}
		$widths[0] = max(self::NAME_MIN, $this->width - array_sum($widths) - count($widths) + 1);
		$out = [];
		foreach ($widths as $i => $width) {
			$out[] = Text::cell($cells[$i], $width);
		}
		$line = implode(' ', $out);

		return rtrim(strlen($line) > $this->width && !preg_match('/[\x80-\xff]/', $line) ? substr($line, 0, $this->width) : $line);
	}

	/** Of the output, if it is a terminal. */
	public static function width(OutputInterface $output): ?int
	{
		if (!$output instanceof \Symfony\Component\Console\Output\StreamOutput || !stream_isatty($output->getStream())) {
			return null;
		}

		return max(40, (new \Symfony\Component\Console\Terminal())->getWidth());
	}
}
