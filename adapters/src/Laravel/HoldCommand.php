<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use Illuminate\Console\Command;
use RedisLock\LockLostException;

/**
 * Runs a command that schedule:run has started in the background, and whose lock this process has taken over.
 *
 * @internal
 */
final class HoldCommand extends Command
{
	public const NAME = 'redislock:hold';

	/** Microseconds between two looks whether the command has ended. */
	private const LOOK = 50_000;

	/** @var string */
	protected $signature = self::NAME . ' {line : The command, for the shell}';
	/** @var string */
	protected $description = 'Run a scheduled command under the lock of this process';
	/** @var bool */
	protected $hidden = true;

	public function handle(): int
	{
		/** @var string $line */
		$line = $this->argument('line');
		$process = proc_open($line, [], $pipes);
		if ($process === false) {
			return self::FAILURE;
		}
		try {
			while (($status = proc_get_status($process))['running']) {
				usleep(self::LOOK);
			}
		} catch (LockLostException $e) {
			proc_terminate($process);
			throw $e;
		}

		return $status['exitcode'];
	}
}
