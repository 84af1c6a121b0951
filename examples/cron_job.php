<?php
/*
 * A cron job that does not run twice at the same time, on one machine or on fifty:
 *
 *     * * * * *  php /path/to/cron_job.php
 *
 * It needs no code for the ways in which it may end. After return, exception, exit(), fatal error or kill -9 the next run
 * finds the lock free. The server is that of REDIS_URL, else that of redislock.server in php.ini. The argument is the number
 * of seconds that the job takes.
 */

$seconds = (float) ($argv[1] ?? 3);

$options = [
	'url' => getenv('REDIS_URL') ?: null,
	'name' => 'nightly-report',
	'ttl' => 30, // does not limit the job: the lock is renewed every 10 s while the job runs
	'label' => 'report',
];

try {
	$pages = (new RedisLock($options))->synchronized(function () use ($seconds): int {
		echo 'process ', getmypid(), ": writing the report\n";
		$end = microtime(true) + $seconds;
		for ($pages = 0; microtime(true) < $end; $pages++) {
			usleep(100_000);
		}
		return $pages;
	});
	echo 'process ', getmypid(), ": done, $pages pages\n";
} catch (RedisLock\NotAcquiredException $e) {
	// This is no error: the run before this one still works. Cron mails what is printed, so print nothing if nobody should
	// get mail about it.
	// The token of the holder says who it is. Other programs, for example redis-cli, set tokens that do not.
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
