<?php

declare(strict_types=1);

namespace RedisLock\Console;

use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

/** Finds what could go wrong with locks here, and says what each finding means. */
final class DoctorCommand extends LockCommand
{
	protected const NAME = 'doctor';
	protected const DESCRIPTION = 'Finds what could go wrong with locks here';

	private const NAMES = 5;

	protected function configure(): void
	{
		parent::configure();
		$this->addOption('ttl', null, InputOption::VALUE_REQUIRED, 'Seconds: the shortest ttl of your locks', '30');
	}

	protected function perform(InputInterface $input, OutputInterface $output): int
	{
		$ttl = $input->getOption('ttl');
		if (!is_numeric($ttl) || $ttl <= 0) {
			return $this->fail($output, ExitStatus::USAGE, '--ttl takes seconds');
		}
		$servers = $this->servers($input);
		$masters = $servers->masters();
		$worst = self::SUCCESS;
		foreach ($this->findings($input, $servers, (float) $ttl) as $finding) {
			$worst = $finding->isProblem ? ExitStatus::NO : $worst;
			if ($input->getOption('json')) {
				self::json($output, $finding->toArray());
				continue;
			}
			$output->writeln([strtoupper($finding->level()) . ' ' . Text::plain(($finding->server === null ? '' : "$finding->server: ") . $finding->found),
				'    ' . Text::plain($finding->advice), ''], OutputInterface::OUTPUT_RAW);
		}
		if (!$input->getOption('json')) {
			$output->writeln(sprintf('%s of %d server%s and this process.', $worst === self::SUCCESS ? 'No problem' : 'That is what was found',
				count($masters), count($masters) === 1 ? '' : 's'));
		}

		return $worst;
	}

	/** @return iterable<Finding> */
	private function findings(InputInterface $input, Servers $servers, float $ttl): iterable
	{
		yield from ProcessDoctor::findings($this->source->options($input));
		if (count($servers->masters()) < $servers->count()) {
			yield new Finding(true, 'away', sprintf('%d of %d servers can be reached', count($servers->masters()), $servers->count()),
				sprintf('A lock needs %d of them.', $servers->majority()));
		}
		foreach ($servers->masters() as $server) {
			yield from (new ServerDoctor($server, $servers, $ttl))->findings();
		}
		try {
			yield from $this->locks($servers);
		} catch (ServerTrouble) {
			// The user may not; that is among the findings.
		}
	}

	/** @return iterable<Finding> */
	private function locks(Servers $servers): iterable
	{
		$forever = [];
		foreach ((new Inventory($servers))->locks() as $lock) {
			if ($lock->ttl === null) {
				$forever[] = $lock->name;
			}
		}
		if ($forever === []) {
			return;
		}
		sort($forever);
		$more = count($forever) - self::NAMES;
		$names = implode(', ', array_slice($forever, 0, self::NAMES)) . ($more > 0 ? " and $more more" : '');
		yield new Finding(true, 'expiry', "$names never expire" . (count($forever) === 1 ? 's' : ''),
			'If the holder is gone, nobody will ever get the lock. "redislock show" says who that is, "redislock release" frees it.');
	}
}
