<?php
/*
 * At most three at the same time, on one machine or on fifty: for what bears no more, such as a slow API or a licence. Start it
 * five times, and kill one of those that work: the next one in the queue goes on at once.
 *
 *     for i in 1 2 3 4 5; do php permits.php & done
 *
 * The server is that of REDIS_URL, else that of redislock.server in php.ini. The arguments are the seconds that the work takes,
 * and how long to wait for a permit.
 */

$seconds = (float) ($argv[1] ?? 5);

$options = [
	'url' => getenv('REDIS_URL') ?: null,
	'name' => 'slow-api',
	'permits' => 3, // a deployment may change it: there are never more than the largest number in use
	'wait' => (float) ($argv[2] ?? 60),
	'ttl' => 30, // does not limit the work: the permit is renewed meanwhile
];

try {
	(new RedisLock($options))->synchronized(function () use ($seconds): void {
		echo 'process ', getmypid(), ": has a permit\n";
		usleep((int) ($seconds * 1e6));
	});
	echo 'process ', getmypid(), ": done\n";
} catch (RedisLock\NotAcquiredException) {
	echo 'process ', getmypid(), ': no permit, held by process ';
	$pids = array_column((new RedisLock($options))->holders(), 'pid');
	sort($pids);
	echo implode(', ', $pids), "\n";
	exit(75);
} catch (RedisLock\Exception $e) {
	fwrite(STDERR, $e->getMessage() . "\n");
	exit(75);
}
