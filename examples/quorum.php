<?php
/*
 * A lock on three independent servers: any one of them may be down. Try it with three servers of your own:
 *
 *     for p in 7001 7002 7003; do redis-server --port $p --save '' --daemonize yes; done
 *     php quorum.php 127.0.0.1:7001 127.0.0.1:7002 127.0.0.1:7003
 *
 * docs/guide/safety.md says what must be true of the servers.
 */

$servers = array_slice($argv, 1) ?: explode(',', getenv('REDIS_SERVERS') ?: '127.0.0.1:6379');

$red = new RedLock($servers, 100, 5); // up to 5 tries, 50 to 100 ms between them
try {
	$lock = $red->lock('example:quorum', 10000);
	if ($lock === false) {
		echo "somebody else has it\n";
		exit(75);
	}
	printf("locked, for %.1f s at least\n", floor($lock['validity'] / 100) / 10);
	try {
		// the work: it must end within the validity, or extend the lock
		$lock = $red->extend($lock, 20000) ?: throw new RuntimeException('lost it');
		printf("extended, to %.1f s\n", floor($lock['validity'] / 100) / 10);
	} finally {
		$red->unlock($lock);
	}
} catch (RedisLock\ConnectionException $e) {
	// Fewer than a majority answered. Nothing stays locked.
	fwrite(STDERR, $e->getMessage() . "\n");
	foreach ($e->getNodes() as $server => $said) {
		fwrite(STDERR, "  $server: $said\n");
	}
	exit(75);
}

// The same quorum for a job of unknown length.
echo (new RedisLock(['servers' => $servers, 'name' => 'example:quorum']))->synchronized(fn () => 'done'), "\n";
