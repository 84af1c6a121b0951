<?php
/*
 * A cron job that never overlaps with itself, on one machine or on fifty:
 *
 *     * * * * *  php /path/to/cron_job.php
 *
 * Needs no code for the ways it may end: after return, exception, exit(), fatal error or kill -9 the next run
 * finds the lock free. The server comes from REDIS_URL, else from redislock.server in php.ini. An argument is
 * the number of seconds the job takes.
 */

$seconds = (float) ($argv[1] ?? 3);

$options = [
	'url' => getenv('REDIS_URL') ?: null,
	'name' => 'nightly-report',
	'ttl' => 30, // not the time the job may take: it is renewed every 10 s for as long as the job runs
	'label' => 'report',
];

try {
	$pages = SequenceTask::execute($options, function () use ($seconds): int {
		echo 'process ', getmypid(), ": writing the report\n";
		$end = microtime(true) + $seconds;
		for ($pages = 0; microtime(true) < $end; $pages++) {
			usleep(100_000);
		}
		return $pages;
	});
	echo 'process ', getmypid(), ": done, $pages pages\n";
} catch (RedisLock\NotAcquiredException $e) {
	// Expected, and no error: the run before this one is still at work. Cron mails what is printed, so print nothing if
	// nobody should get mail about it.
	// What we know of a holder it said itself: other programs than ours, redis-cli for one, say nothing.
	$holder = $e->getHolder();
	echo 'process ', getmypid(), ': nothing to do, ', isset($holder['host'])
		? ($holder['label'] ?? 'a job') . " on $holder[host], process $holder[pid], is at work\n"
		: "somebody else has the lock\n";
} catch (RedisLock\LockLostException $e) {
	fwrite(STDERR, "the job was stopped: {$e->getMessage()}\n");
	exit(75);
} catch (RedisLock\Exception $e) {
	fwrite(STDERR, "the job did not start: {$e->getMessage()}\n");
	exit(75);
}
