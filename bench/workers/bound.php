<?php
/*
 * bound: the jobs whose process-bound lock bench/tables/process_bound.php and loss.php observe from outside.
 *
 *     bound.php COMMAND JSON
 *
 * The JSON object holds "lock", the configuration handed to SequenceTask, "heap", the megabytes of live PHP
 * data the job has, and what the command wants besides. Times leave as nanoseconds of the monotonic clock,
 * which all processes of a machine share.
 */
declare(strict_types=1);

const PAGE = 4096;
const PIECE = 65536;

ini_set('memory_limit', '1200M');
$job = json_decode($argv[2], true, flags: JSON_THROW_ON_ERROR);

/** Memory as jobs have it, strings and arrays by halves. @return list<string|list<int>> */
function ballast(int $megabytes): array
{
	$live = [];
	for ($i = 0; $i < $megabytes; $i++) {
		if ($i % 2 === 0) {
			$live[] = range(1, 65536);
			continue;
		}
		for ($piece = 0; $piece < 16; $piece++) {
			$live[] = str_repeat(chr(65 + $piece), PIECE - 64);
		}
	}

	return $live;
}

function say(int|string|array $what): void
{
	echo is_array($what) ? json_encode($what) : $what, "\n";
}

/** Nothing is done yet: the number of mappings a PHP process has anyway. */
function mappings(array $job): void
{
	say(count(file('/proc/self/maps')));
}

/** What SequenceTask::execute() takes before and after an empty callable, call by call. */
function overhead(array $job): void
{
	$live = ballast($job['heap']);
	$inside = 0;
	$callable = static function () use (&$inside): void {
		$inside = hrtime(true);
	};
	$calls = [];
	for ($i = 0; $i < $job['calls']; $i++) {
		$started = hrtime(true);
		SequenceTask::execute($job['lock'], $callable);
		$ended = hrtime(true);
		$calls[] = [$inside - $started, $ended - $inside];
	}
	say($calls);
}

/** The same for a lease, the control: connecting and SET before, the release after, and no child. */
function lease(array $job): void
{
	$live = ballast($job['heap']);
	$started = hrtime(true);
	$lock = new RedisLock($job['lock']);
	$lock->acquire() or exit(1);
	$inside = hrtime(true);
	$lock->release();
	unset($lock);
	say([[$inside - $started, hrtime(true) - $inside]]);
}

/** Rewrites a byte in every page of the job's strings, which is where copy-on-write would be paid. */
function rewrite(array $job): void
{
	$strings = [];
	for ($i = 0; $i < $job['heap'] * 16; $i++) {
		$strings[] = str_repeat(chr(65 + $i % 26), PIECE - 64);
	}
	$callable = static function () use (&$strings): void {
		$faults = getrusage()['ru_minflt'];
		$started = hrtime(true);
		for ($i = 0, $count = count($strings); $i < $count; $i++) {
			for ($at = 0; $at < PIECE - 64; $at += PAGE) {
				$strings[$i][$at] = 'x';
			}
		}
		say([hrtime(true) - $started, getrusage()['ru_minflt'] - $faults]);
	};
	switch ($job['how']) {
		case 'lock':
			SequenceTask::execute($job['lock'], $callable);
			break;
		case 'fork':
			// The control: a child that is a plain copy. It waits until its parent is gone.
			$ends = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
			if (pcntl_fork() === 0) {
				fclose($ends[0]);
				fread($ends[1], 1);
				exit;
			}
			fclose($ends[1]);
			$callable();
			break;
		default:
			$callable();
	}
}

/** Holds the lock until somebody ends the process. */
function hold(array $job): void
{
	$live = ballast($job['heap']);
	SequenceTask::execute($job['lock'], static function (): void {
		say('in');
		sleep(120);
	});
}

/** For every line on stdin: works until the loss of the lock is thrown into the loop; says when that was. */
function loss(array $job): void
{
	while (fgets(STDIN) !== false) {
		$noticed = 0;
		try {
			SequenceTask::execute($job['lock'], static function () use (&$noticed): void {
				say('in');
				$end = hrtime(true) + 10_000_000_000;
				try {
					while (hrtime(true) < $end) {
						for ($i = 0; $i < 100_000; $i++) {
						}
					}
				} finally {
					$noticed = hrtime(true);
				}
			});
			say('never');
		} catch (RedisLock\LockLostException) {
			say($noticed);
		}
	}
}

$argv[1]($job);
