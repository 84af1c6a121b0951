<?php

declare(strict_types=1);

namespace RedisLock\Console;

use RedisLock\Adapter\Extension;
use RedisLock\RenewalException;

/**
 * @internal Examines this process: what renews its locks, and what happens to them when it is killed.
 * @phpstan-import-type Options from \RedisLock
 */
final class ProcessDoctor
{
	/**
	 * @param Options $options of a lock
	 * @return iterable<Finding>
	 */
	public static function findings(#[\SensitiveParameter] array $options): iterable
	{
		if (!Extension::isLoaded()) {
			yield new Finding(true, 'extension', 'the extension redislock is not loaded', 'There are leases on one server only. "pie install redislock/redislock" installs it.');

			return;
		}
		$backend = strtolower((string) ini_get('redislock.renewal'));
		if (in_array($backend, ['', 'off', 'no', 'none', '0'], true)) {
			yield new Finding(false, 'renewal', 'redislock.renewal is off', 'Process-bound locks are refused: only leases work.');
		} else {
			yield from self::probe($options, $backend);
		}
		if (getmypid() === 1) {
			yield new Finding(false, 'init', 'PHP is process 1 of its container', 'When it is killed, the container ends with the renewal child: its locks stay until their ' .
				'ttl is over. Start the container with an init ("docker run --init", tini), and they are free at once.');
		}
	}

	/**
	 * Whether a process-bound lock can be had here.
	 *
	 * @param Options $options
	 * @return iterable<Finding>
	 */
	private static function probe(#[\SensitiveParameter] array $options, string $backend): iterable
	{
		$lock = new \RedisLock($options, ['name' => 'redislock-doctor-' . bin2hex(random_bytes(8)), 'renew' => true, 'ttl' => 5, 'interval' => 1, 'hold_at_least' => 0, 'on_lost' => 'flag']);
		try {
			$isThread = $lock->acquire() && ($backend === 'thread' || self::isThread());
			$lock->release();
			if ($isThread) {
				yield new Finding(false, 'thread', 'a thread of this process renews its locks', 'When the process is killed, its locks stay until their ttl is over. ' .
					'With redislock.renewal=process a child frees them within milliseconds.');
			}
		} catch (RenewalException $e) {
			$filtered = (bool) preg_match('/^Seccomp:\s*2/m', (string) @file_get_contents('/proc/self/status'));
			yield new Finding(true, $filtered ? 'seccomp' : 'renewal', 'no process-bound lock can be renewed here: ' . $e->getMessage(), $filtered
				? 'A seccomp filter is at work, and seems to forbid the renewal child: allow clone, or set redislock.renewal=thread.'
				: 'A limit of processes may forbid the renewal child: raise it, or set redislock.renewal=thread.');
		} catch (\RedisLock\Exception $e) {
			yield new Finding(true, 'lock', 'no lock can be acquired and released: ' . $e->getMessage(), 'What is found of the server says more.');
		}
	}

	/** Whether the extension has chosen a thread where a process was asked for. */
	private static function isThread(): bool
	{
		ob_start();
		(new \ReflectionExtension('redislock'))->info();

		return (bool) preg_match('/^Renewal => thread/m', (string) ob_get_clean());
	}
}
