<?php
/*
 * Several processes change the same thing; each waits for its turn. Here the thing is a number in a file, read and
 * written back, which loses counts without a lock. Try it with several at once:
 *
 *     for i in 1 2 3 4; do php critical_section.php /tmp/counter 50 & done; wait; cat /tmp/counter
 */

$file = $argv[1] ?? sys_get_temp_dir() . '/redislock-counter';
$times = (int) ($argv[2] ?? 10);

$lock = new RedisLock([
	'url' => getenv('REDIS_URL') ?: null,
	'name' => "counter:$file",
	'wait' => 20, // seconds to wait for the turn; 0, the default, is one try
]);

$count = 0;
try {
	for ($i = 0; $i < $times; $i++) {
		$count = $lock->synchronized(function () use ($file): int {
			$count = (int) @file_get_contents($file) + 1;
			usleep(500); // the moment in which somebody else would read the old number
			file_put_contents($file, $count);
			return $count;
		});
	}
	echo 'process ', getmypid(), ": counted $times times, the last time to $count\n";
} catch (RedisLock\NotAcquiredException $e) {
	fwrite(STDERR, "no turn within the wait: {$e->getMessage()}\n");
	exit(75);
} catch (RedisLock\Exception $e) {
	fwrite(STDERR, $e->getMessage() . "\n");
	exit(75);
}
