<?php
/*
 * Several processes change the same number in a file, one after the other. Each reads the number and writes it back. Without
 * a lock some counts would be lost. Try it with several processes:
 *
 *     for i in 1 2 3 4; do php critical_section.php /tmp/counter 50 & done; wait; cat /tmp/counter
 */

$file = $argv[1] ?? sys_get_temp_dir() . '/redislock-counter';
$times = (int) ($argv[2] ?? 10);

$lock = new RedisLock([
	'url' => getenv('REDIS_URL') ?: null,
	'name' => "counter:$file",
	'wait' => 20, // seconds to wait for the lock; 0, the default, is one try
]);

$count = 0;
try {
	for ($i = 0; $i < $times; $i++) {
		$count = $lock->synchronized(function () use ($file): int {
			$count = (int) @file_get_contents($file) + 1;
			usleep(500); // without a lock another process would read the old number now
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
