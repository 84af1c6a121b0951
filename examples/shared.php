<?php
/*
 * Readers and a writer: many pages are rendered from a catalogue at the same time, but not while an import writes it. The import
 * waits for those who read, and whoever comes later waits for the import.
 *
 *     php shared.php read & php shared.php read & php shared.php write & php shared.php read
 *
 * The server is that of REDIS_URL, else that of redislock.server in php.ini. The second argument is the number of seconds that
 * it takes.
 */

$writes = ($argv[1] ?? 'read') === 'write';
$seconds = (float) ($argv[2] ?? 3);

$lock = new RedisLock([
	'url' => getenv('REDIS_URL') ?: null,
	'name' => 'catalogue',
	'shared' => !$writes, // the writer is the plain lock of that name
	'wait' => 60,
]);

try {
	$lock->synchronized(function () use ($writes, $seconds): void {
		echo 'process ', getmypid(), $writes ? ": writes\n" : ": reads\n";
		usleep((int) ($seconds * 1e6));
	});
	echo 'process ', getmypid(), ": done\n";
} catch (RedisLock\Exception $e) {
	fwrite(STDERR, $e->getMessage() . "\n");
	exit(75);
}
