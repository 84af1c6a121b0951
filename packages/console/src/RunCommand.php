<?php

declare(strict_types=1);

namespace RedisLock\Console;

use RedisLock\ConnectionException;
use RedisLock\Lock;
use RedisLock\LockFactory;
use RedisLock\LockLostException;
use RedisLock\NotAcquiredException;
use RedisLock\RenewalException;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

/**
 * Runs a program under a process-bound lock, as flock(1) does on one machine. Once it has the lock, this process becomes the
 * program. Where it cannot, because a thread renews, and where it shall not, it starts the program and stays beside it.
 *
 * @phpstan-import-type Options from \RedisLock
 */
final class RunCommand extends LockCommand
{
	protected const NAME = 'run';
	protected const DESCRIPTION = 'Runs a program that holds a lock while it runs';

	/** Microseconds between two looks whether the program has ended or the lock was lost. */
	private const LOOK = 20_000;
	private const PASSED_ON = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGWINCH'];
	/** What siginfo says of a signal from the terminal, which the program gets as well. */
	private const FROM_KERNEL = 128;

	protected function configure(): void
	{
		parent::configure();
		$this->addOption('name', null, InputOption::VALUE_REQUIRED, 'The name of the lock');
		$this->addOption('wait', null, InputOption::VALUE_REQUIRED, 'Seconds to wait for the lock; inf: no limit', '0');
		$this->addOption('ttl', null, InputOption::VALUE_REQUIRED, 'Seconds that the lock stays if this machine vanishes; 30 if not given');
		$this->addOption('label', null, InputOption::VALUE_REQUIRED, 'Shown to whoever asks who has the lock; the program\'s name if not given');
		$this->addOption('permits', null, InputOption::VALUE_REQUIRED, 'How many may run at once');
		$this->addOption('grace', null, InputOption::VALUE_REQUIRED, 'Seconds between SIGTERM and SIGKILL when the lock is lost', '10');
		$this->addOption('stay', null, InputOption::VALUE_NONE, 'Stay beside the program, to return 70 when the lock was lost');
		$this->addOption('local', null, InputOption::VALUE_REQUIRED, 'A lock of this machine only, a file in this folder, without a server and the extension');
		$this->addArgument('program', InputArgument::REQUIRED | InputArgument::IS_ARRAY, 'The program and its arguments, behind --');
		$this->setHelp("redislock run --name=nightly -- /usr/bin/backup --all\n\nExit status: the program's, and after a signal 128 plus its number. Else: 75 somebody else has the lock, " .
			"69 trouble with a server, 64 wrong arguments, 127 and 126 the program is not there or cannot be run.\n\n" .
			"When the lock is lost, the program gets SIGTERM, and after --grace SIGKILL: this process has become the program, so that is how it ends, " .
			"with 143 or 137 unless it handles SIGTERM. With --stay, with --local, and where a thread renews, this process stays beside the program, and returns 70 then.");
	}

	protected function perform(InputInterface $input, OutputInterface $output): int
	{
		$name = self::text($input->getOption('name'));
		$grace = $input->getOption('grace');
		if ($name === '' || !is_numeric($grace) || $grace < 0) {
			return $this->fail($output, ExitStatus::USAGE, $name === '' ? 'say which lock: --name=NAME' : '--grace takes seconds');
		}
		/** @var non-empty-list<string> $words */
		$words = $input->getArgument('program');
		$program = self::find($words[0]);
		if ($program === null || !is_executable($program) || is_dir($program)) {
			return $this->fail($output, $program === null ? ExitStatus::NOT_FOUND : ExitStatus::NOT_EXECUTABLE,
				$words[0] . ($program === null ? ': not found' : ': cannot be run'));
		}
		/** @var Options $given what is wrong in it, the extension refuses */
		$given = array_filter(['ttl' => $input->getOption('ttl'), 'permits' => $input->getOption('permits')], static fn (mixed $option): bool => $option !== null);
		$label = $input->getOption('label') ?? substr((string) preg_replace('/[^!-~]/', '', basename($words[0])), 0, 64);
		$wait = self::text($input->getOption('wait'));
		if (!is_numeric($wait) && strtolower($wait) !== 'inf') {
			return $this->fail($output, ExitStatus::USAGE, '--wait takes seconds, or inf');
		}
		$words[0] = $program;
		$local = $input->getOption('local');
		if (is_string($local)) {
			return $this->local($local, $name, ['label' => self::text($label), 'wait' => is_numeric($wait) ? (float) $wait : INF] + $given, $words, (float) $grace, $output);
		}
		$lock = new \RedisLock($this->source->options($input),
			['name' => $name, 'renew' => true, 'on_lost' => 'flag', 'label' => self::text($label)] + $given);
		if (!$lock->acquire(is_numeric($wait) ? (float) $wait : INF)) {
			return $this->refused($name, $input, $output);
		}
		try {
			if ($input->getOption('stay')) {
				return $this->beside($lock, $words, (float) $grace, $output);
			}
			$lock->exec($program, array_slice($words, 1), null, (float) $grace);
		} catch (LockLostException $e) {
			return $this->fail($output, ExitStatus::LOST, $e->getMessage());
		} catch (RenewalException) {
			return $this->beside($lock, $words, (float) $grace, $output);
		} catch (\RedisLock\Exception $e) {
			return $this->fail($output, ExitStatus::NOT_EXECUTABLE, $e->getMessage());
		} finally {
			try {
				$lock->release();
			} catch (ConnectionException $e) {
				// The program has ended as it has. The renewal child goes on trying.
				$this->fail($output, 0, $e->getMessage());
			}
		}
	}

	/**
	 * With a lock of this machine.
	 *
	 * @param Options $options of the lock; those that make no sense here are refused
	 * @param non-empty-list<string> $words
	 */
	private function local(string $folder, string $name, array $options, array $words, float $grace, OutputInterface $output): int
	{
		try {
			return LockFactory::local($folder)->run($name, fn (Lock $lock): int => $this->beside($lock, $words, $grace, $output), $options);
		} catch (NotAcquiredException $e) {
			$holder = $e->getHolder();

			return $this->fail($output, ExitStatus::HELD, "\"$name\" is held" . (isset($holder['pid']) ? " by process $holder[pid]" : ''));
		}
	}

	private function refused(string $name, InputInterface $input, OutputInterface $output): int
	{
		try {
			$lock = (new Inventory($this->servers($input)))->lock($name);
		} catch (ServerTrouble) {
			$lock = null;
		}
		$who = $lock === null ? '' : ' by ' . implode(', ', array_map(Text::holder(...), $lock->holders)) .
			($lock->ttl === null ? '' : ', for ' . Text::time($lock->ttl) . ' unless it is renewed');

		return $this->fail($output, ExitStatus::HELD, "\"$name\" is held$who");
	}

	/**
	 * Starts the program, passes signals on, and ends it when the lock is lost. What a terminal and its shell say to stop and
	 * continue a job is said to both of them.
	 *
	 * @param non-empty-list<string> $words
	 */
	private function beside(Lock $lock, array $words, float $grace, OutputInterface $output): int
	{
		/** @var list<int> $waiting those that come before the program runs */
		$waiting = [];
		/** @var int $pid */
		$pid = 0;
		if (function_exists('pcntl_signal')) {
			pcntl_async_signals(true);
			// PHP ignores it, and so would the program.
			pcntl_signal(SIGPIPE, SIG_DFL);
			// Ignored, as some parents leave it, it would take the exit status with it.
			pcntl_signal(SIGCHLD, SIG_DFL);
			foreach (array_filter(self::PASSED_ON, defined(...)) as $signal) {
				/** @var int $number */
				$number = constant($signal);
				pcntl_signal($number, static function (int $signal, mixed $info) use (&$waiting, &$pid): void {
					if ($pid !== 0 && is_array($info) && ($info['code'] ?? 0) === self::FROM_KERNEL) {
						return;
					}
					$pid === 0 ? $waiting[] = $signal : posix_kill($pid, $signal);
				});
			}
		}
		$process = proc_open($words, [\STDIN, \STDOUT, \STDERR], $pipes);
		if ($process === false) {
			return $this->fail($output, ExitStatus::NOT_EXECUTABLE, $words[0] . ': cannot be run');
		}
		$status = proc_get_status($process);
		// Until it is the program, it swallows what the terminal says.
		$own = @file_get_contents('/proc/self/cmdline');
		while ($status['running'] && $own !== false && @file_get_contents("/proc/$status[pid]/cmdline") === $own) {
			usleep(100);
			$status = proc_get_status($process);
		}
		$pid = $status['pid'];
		foreach ($waiting as $signal) {
			posix_kill($pid, $signal);
		}
		$killAt = null;
		// PHP 8.2 tells the exit status once only.
		while ($status['running']) {
			if ($killAt === null && !$lock->isHeld()) {
				proc_terminate($process);
				$killAt = hrtime(true) / 1e9 + $grace;
			} elseif ($killAt !== null && hrtime(true) / 1e9 >= $killAt) {
				proc_terminate($process, 9);
				$killAt = INF;
			}
			usleep(self::LOOK);
			$status = proc_get_status($process);
		}
		if ($killAt !== null) {
			return $this->fail($output, ExitStatus::LOST, 'the lock was lost while the program ran');
		}

		return $status['signaled'] ? ExitStatus::SIGNAL + $status['termsig'] : $status['exitcode'];
	}

	/** As execvp() looks for it. null: there is none. */
	private static function find(string $program): ?string
	{
		if (str_contains($program, '/')) {
			return file_exists($program) ? $program : null;
		}
		$found = null;
		foreach (explode(PATH_SEPARATOR, getenv('PATH') ?: '/usr/local/bin:/usr/bin:/bin') as $folder) {
			$file = ($folder === '' ? '.' : $folder) . "/$program";
			if (is_file($file)) {
				$found ??= $file;
				if (is_executable($file)) {
					return $file;
				}
			}
		}

		return $found;
	}
}
