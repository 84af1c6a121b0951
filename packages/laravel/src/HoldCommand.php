<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use Illuminate\Console\Command;

/**
 * @internal Runs a command of the shell that schedule:run has started, and whose lock this process has taken over. If the lock is lost, it
 * ends the command, with all that this has started.
 */
final class HoldCommand extends Command
{
	public const NAME = 'redislock:hold';

	/** Microseconds between two looks whether the command has ended. */
	private const LOOK = 50_000;
	/**
	 * What the shell starts is in its process group; this process is in another one, which it does not end. macOS has no setsid. The shell
	 * says that it is there, and then waits to be told that this process knows.
	 */
	private const START = 'echo >&4; read -r go <&3 || exit; exec 3<&- 4>&-; command -v setsid >/dev/null && exec setsid sh -c "$1"; exec sh -c "$1"';

	/** @var string */
	protected $signature = self::NAME . ' {line : The command, for the shell} {--grace=10 : Seconds between SIGTERM and SIGKILL when the lock is lost}' .
		' {--background : Ctrl-C is not for it}';
	/** @var string */
	protected $description = 'Run a scheduled command under the lock of this process';
	/** @var bool */
	protected $hidden = true;

	public function handle(): int
	{
		/** @var string $line */
		$line = $this->argument('line');
		/** @var resource|null $process */
		$process = null;
		/** @var list<int> $early those that come before the command is there */
		$early = [];
		// The terminal does not know the group of the command, either.
		$this->trap(fn (): array => [SIGTERM, SIGHUP, ...($this->option('background') ? [] : [SIGINT, SIGQUIT])], static function (int $signal) use (&$process, &$early): void {
			$process === null ? $early[] = $signal : self::signal($process, $signal);
		});
		try {
			// A loss may be told in here, before $process is set. Then the shell ends with the pipes, and has started nothing.
			$shell = proc_open(['sh', '-c', self::START, 'sh', $line], [3 => ['pipe', 'r'], ['pipe', 'w']], $pipes);
			if ($shell === false) {
				return self::FAILURE;
			}
			// Until it is the shell, it is a copy of this process, whose handlers swallow signals.
			fgets($pipes[4]);
			$process = $shell;
			foreach ($early as $signal) {
				self::signal($process, $signal);
			}
			// Without pcntl this process leaves the group that it was started in, as its command does: neither survives the other.
			extension_loaded('pcntl') || !function_exists('posix_setpgid') || @posix_setpgid(0, 0);
			@fwrite($pipes[3], "\n");
			while (($status = proc_get_status($process))['running']) {
				usleep(self::LOOK);
			}
		} catch (\Throwable $e) {
			$process === null || $this->stop($process);
			throw $e;
		}

		return $status['exitcode'];
	}

	/** @param resource $process */
	private function stop(mixed $process): void
	{
		$killAt = hrtime(true) / 1e9 + (float) $this->option('grace');
		self::signal($process, 15);
		while (self::signal($process, 0)) {
			if (hrtime(true) / 1e9 >= $killAt) {
				self::signal($process, 9);
				break;
			}
			usleep(self::LOOK);
		}
	}

	/**
	 * To the command and all that it has started; without setsid or the extension posix, to its shell.
	 *
	 * @param resource $process
	 * @return bool false: nobody is left. Signal 0 only asks
	 */
	private static function signal(mixed $process, int $signal): bool
	{
		['pid' => $pid, 'running' => $running] = proc_get_status($process);
		// The group is there as long as one of its processes is, and no other process gets its number before.
		if (function_exists('posix_kill') && posix_kill(-$pid, $signal)) {
			return true;
		}
		if ($running && $signal !== 0) {
			proc_terminate($process, $signal);
		}

		return $running;
	}
}
