<?php
/*
 * A job whose lock is taken away while it works. The exception is thrown inside the running code, in the middle of its
 * loop, so the code can undo its work. It does not have to check whether it still has the lock.
 *
 * Here the job itself deletes the lock. In practice it would be an operator with DEL, or a server that lost its memory.
 */

$options = [
	'url' => getenv('REDIS_URL') ?: null,
	'name' => 'import',
	'ttl' => 3,
	'interval' => 0.2, // how often the lock is renewed, so how soon a loss is noticed
];

try {
	(new RedisLock($options))->synchronized(function () use ($options): void {
		$rows = 0;
		$deletedAt = null;
		try {
			while (true) {
				usleep(10_000);
				if (++$rows === 30) {
					echo "the lock is deleted by hand\n";
					$deletedAt = hrtime(true);
					(new RedisLock($options))->forceRelease();
				}
				if ($deletedAt !== null && hrtime(true) - $deletedAt > 10e9) {
					echo "still working after 10 s\n";
					exit(1);
				}
			}
		} finally {
			if ($deletedAt !== null) {
				printf("stopped after %.0f ms; undoing %d rows\n", (hrtime(true) - $deletedAt) / 1e6, $rows);
			}
		}
	});
} catch (RedisLock\LockLostException $e) {
	echo get_class($e), ': ', $e->getMessage(), "\n";
	echo 'finished before that: ', $e->hasResult() ? 'yes' : 'no', "\n";
} catch (RedisLock\Exception $e) {
	fwrite(STDERR, "the job did not start: {$e->getMessage()}\n");
	exit(75);
}
