<?php
/*
 * fpm: one request to PHP-FPM with a process-bound lock, for bench/tables/process_bound.php.
 *
 * $_SERVER['JOB'] is a JSON object: "lock", the configuration, "heap", the megabytes of live PHP data that the
 * request has, "rest", milliseconds that it sleeps, and "lease": takes and releases one first. Says, as JSON, the
 * process, and nanoseconds before and after the callable of execute(), then those of acquire() and release() of the lease.
 */
declare(strict_types=1);

$job = json_decode($_SERVER['JOB'], true, flags: JSON_THROW_ON_ERROR);
$live = [];
for ($i = 0; $i < $job['heap']; $i++) {
	if ($i % 2 === 0) {
		$live[] = range(1, 65536);
		continue;
	}
	for ($piece = 0; $piece < 16; $piece++) {
		$live[] = str_repeat(chr(65 + $piece), 65536 - 64);
	}
}
usleep($job['rest'] * 1000);

$acquire = $release = 0;
if ($job['lease']) {
	$lock = new RedisLock(['name' => 'bench:lease'] + $job['lock']);
	$started = hrtime(true);
	$lock->acquire() or exit(1);
	$acquire = hrtime(true) - $started;
	$lock->release();
	$release = hrtime(true) - $started - $acquire;
	unset($lock);
}

$inside = 0;
$callable = static function () use (&$inside): void {
	$inside = hrtime(true);
};
$started = hrtime(true);
SequenceTask::execute($job['lock'], $callable);
$ended = hrtime(true);

echo json_encode([getmypid(), $inside - $started, $ended - $inside, $acquire, $release]);
