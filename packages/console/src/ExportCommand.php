<?php

declare(strict_types=1);

namespace RedisLock\Console;

use RedisLock\Observe\Prometheus;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

/** The data of "list" as text for Prometheus, once or over and over: for the textfile collector of node_exporter. */
final class ExportCommand extends LockCommand
{
	protected const NAME = 'export';
	protected const DESCRIPTION = 'Prints the locks as metrics for Prometheus';

	/** Parts of a name that are one of many, a UUID, a hash or a number; several in a row are one. */
	private const ONE_OF_MANY = '~(?<![^:/._-])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{8,}|\d+(?:[._-]\d+)*)(?![^:/._-])~i';
	/** Names with metrics of their own; the others are one together. */
	private const NAMES = 200;
	private const GAUGES = [
		'held' => 'Locks that somebody holds',
		'permits_held' => 'Permits and shares of them that are held',
		'permits_free' => 'Permits that are free, of the locks of --permits',
		'waited' => 'Locks that somebody waits for, or has within the last minute',
		'without_expiry' => 'Locks that never end by themselves',
		'oldest_holder_seconds' => 'How long the oldest holder has been there while --watch looks',
	];

	/** @var array<string, float> when a holder was seen first */
	private array $since = [];

	protected function configure(): void
	{
		parent::configure();
		$this->addOption('match', 'm', InputOption::VALUE_REQUIRED, 'Only names like this, with *, ? and [a-z]', '*');
		$this->addOption('pattern', null, InputOption::VALUE_REQUIRED | InputOption::VALUE_IS_ARRAY, 'Names that are one in the metrics, as "page:*"; numbers, hashes and UUIDs are "*" in any case');
		$this->addOption('permits', null, InputOption::VALUE_REQUIRED | InputOption::VALUE_IS_ARRAY, 'How many permits a lock has, as "import=5": only those who acquire it know');
		$this->addOption('file', null, InputOption::VALUE_REQUIRED, 'Replace this file, in one step, instead of printing');
		$this->addOption('watch', 'w', InputOption::VALUE_OPTIONAL, 'Go on, every so many seconds', false);
	}

	protected function perform(InputInterface $input, OutputInterface $output): int
	{
		$every = $input->getOption('watch') ?? 15;
		if ($every !== false && (!is_numeric($every) || $every < 0.1 || $every > 3600)) {
			return $this->fail($output, ExitStatus::USAGE, '--watch takes seconds, from 0.1 to 3600');
		}
		$file = $input->getOption('file');
		do {
			try {
				$text = $this->metrics($input, $every !== false) . self::gauge('export_up', 'Whether the servers could be asked', [['', [], 1]]);
			} catch (ServerTrouble $trouble) {
				$every !== false ?: throw $trouble;
				$this->fail($output, ExitStatus::SERVER, $trouble->getMessage());
				$text = self::gauge('export_up', 'Whether the servers could be asked', [['', [], 0]]);
			}
			if (!is_string($file)) {
				$output->write($text, false, OutputInterface::OUTPUT_RAW);
			} elseif (@file_put_contents("$file.new", $text) === false || !@rename("$file.new", $file)) {
				return $this->fail($output, ExitStatus::USAGE, "$file cannot be written");
			}
			usleep((int) ((float) $every * 1e6));
		} while ($every !== false);

		return self::SUCCESS;
	}

	private function metrics(InputInterface $input, bool $watches): string
	{
		/** @var list<string> $patterns */
		$patterns = $input->getOption('pattern');
		$now = hrtime(true) / 1e9;
		$seen = [];
		$values = ['permits_free' => self::permits($input)];
		foreach ((new Inventory($this->servers($input)))->locks(self::text($input->getOption('match'))) as $lock) {
			$name = self::collapsed($lock->name, $patterns);
			$name = isset($values['held'][$name]) || count($values['held'] ?? []) < self::NAMES ? $name : '*';
			$holder = "$lock->name\0{$lock->holder()['token']}";
			$seen[$holder] = $this->since[$holder] ?? $now;
			foreach (['held' => 1, 'permits_held' => $lock->held(), 'waited' => (int) $lock->waited, 'without_expiry' => (int) ($lock->ttl === null)] as $gauge => $more) {
				$values[$gauge][$name] = ($values[$gauge][$name] ?? 0) + $more;
			}
			if ($watches) {
				$values['oldest_holder_seconds'][$name] = max($values['oldest_holder_seconds'][$name] ?? 0, round($now - $seen[$holder], 3));
			}
			if (isset($values['permits_free'][$lock->name])) {
				$values['permits_free'][$lock->name] -= $lock->held();
			}
		}
		$this->since = $seen;
		$text = '';
		foreach (self::GAUGES as $gauge => $help) {
			$of_gauge = $values[$gauge] ?? [];
			ksort($of_gauge, SORT_STRING);
			$text .= self::gauge($gauge, $help, array_map(static fn (int|string $name, int|float $value): array => ['', ['name' => (string) $name], $value],
				array_keys($of_gauge), $of_gauge));
		}

		return $text;
	}

	/** @param list<array{string, array<string, string>, int|float}> $values */
	private static function gauge(string $name, string $help, array $values): string
	{
		return Prometheus::metric("redislock_$name", 'gauge', $help, $values);
	}

	/** @return array<string, int> by the names of locks */
	private static function permits(InputInterface $input): array
	{
		$permits = [];
		/** @var list<string> $given */
		$given = $input->getOption('permits');
		foreach ($given as $one) {
			if (!preg_match('/^(.+)=([1-9]\d{0,3})$/Ds', $one, $parts)) {
				throw new \InvalidArgumentException("--permits takes a name and a number, as \"import=5\", not \"$one\"");
			}
			$permits[$parts[1]] = (int) $parts[2];
		}

		return $permits;
	}

	/**
	 * A metric for each of any number of names would fill the memory of Prometheus.
	 *
	 * @param list<string> $patterns
	 */
	private static function collapsed(string $name, array $patterns): string
	{
		foreach ($patterns as $pattern) {
			if (fnmatch($pattern, $name)) {
				return $pattern;
			}
		}

		return Text::plain(preg_replace(self::ONE_OF_MANY, '*', mb_scrub($name, 'UTF-8')) ?? '*');
	}
}
