<?php
/*
 * A job whose lock survives the loss of a server. Try it with three sentinels, or with a Redis Cluster, and kill the
 * master while it runs:
 *
 *     SENTINELS=10.0.0.1:26379,10.0.0.2:26379 SERVICE=mymaster php failover.php 20
 *     CLUSTER=10.0.0.1:7000,10.0.0.2:7000 php failover.php 20
 */

$seconds = (float) ($argv[1] ?? 5);

$seeds = getenv('CLUSTER');
$where = $seeds
	? ['cluster' => explode(',', $seeds)]
	: ['sentinels' => explode(',', getenv('SENTINELS') ?: '127.0.0.1'), 'service' => getenv('SERVICE') ?: 'mymaster'];

try {
	(new RedisLock($where + [
		'name' => 'failover-example',
		'wait' => 60, // also long enough for a failover
		'ttl' => 30,  // longer than a failover takes
	]))->synchronized(function (RedisLock $lock) use ($seconds): void {
		for ($end = microtime(true) + $seconds; microtime(true) < $end; usleep(100_000)) {
			/* The work. If the lock is lost, LockLostException is thrown here. */
		}
		printf("held for %.1f s, valid for another %.1f s\n", $seconds, $lock->remaining());
	});
} catch (RedisLock\LockLostException $e) {
	fwrite(STDERR, "stopped: {$e->getMessage()}\n"); // the new master did not know the lock, or there was none in time
	exit(1);
} catch (RedisLock\Exception $e) {
	fwrite(STDERR, $e->getMessage() . ($e->isRetryable() ? " (later, perhaps)\n" : "\n"));
	exit(75);
}
