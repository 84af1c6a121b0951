<?php
/*
 * The jobs of the demo, started by run.php as processes of their own:
 *
 *     job.php long SECONDS      under a ttl of 2 s
 *     job.php hold              until it is killed, under a ttl of 30 s
 *     job.php next              waits for that lock, and says at what time it got it
 *     job.php loop              until its lock is lost, and says at what time it was told
 *
 * Times are microtime(true), which all processes of one machine share.
 */

$redis = ['url' => getenv('REDIS_URL')];
$me = 'process ' . getmypid();

switch ($argv[1]) {
	case 'long':
		$seconds = (float) $argv[2];
		$options = $redis + ['name' => 'demo:long', 'ttl' => 2];
		(new RedisLock($options))->synchronized(function (RedisLock $lock) use ($me, $seconds) {
			echo "$me: a job of $seconds s with a ttl of 2 s\n";
			usleep((int) ($seconds * 1e6));
			echo "$me: done, ", $lock->isHeld() ? 'and still the holder' : 'but no longer the holder', "\n";
		});
		break;

	case 'hold':
		(new RedisLock($redis + ['name' => 'demo:kill', 'ttl' => 30, 'label' => 'victim']))->synchronized(function () use ($me) {
			echo "$me: holds the lock, ttl 30 s\n";
			sleep(60);
		});
		break;

	case 'next':
		$lock = new RedisLock($redis + ['name' => 'demo:kill', 'renew' => true, 'wait' => 20, 'retry_ms' => 5]);
		echo "$me: waits for process ", $lock->holder()['pid'] ?? 'nobody', "\n";
		if ($lock->acquire()) {
			printf("in at %.6F\n", microtime(true));
		}
		break;

	case 'loop':
		$options = $redis + ['name' => 'demo:lost', 'ttl' => 30];
		try {
			(new RedisLock($options))->synchronized(function () use ($me) {
				echo "$me: computes in a loop and never checks its lock, interval 10 s\n";
				try {
					for ($i = 0, $end = microtime(true) + 20; microtime(true) < $end; $i++);
				} finally {
					printf("told at %.6F in round %d\n", microtime(true), $i);
				}
			});
		} catch (RedisLock\LockLostException $e) {
			echo get_class($e), ': ', $e->getMessage(), "\n";
		}
		break;
}
