<?php
/*
 * What a thread of threads.c does in one request; ARGUMENT is its job and the server's socket. Every line is one write.
 */
[$job, $socket] = explode(':', ARGUMENT, 2);
$options = ['unix_socket' => $socket, 'name' => 'threads-' . THREAD, 'ttl' => 1.0, 'interval' => 0.2];
$now = fn () => hrtime(true) / 1e9;
$say = function (string $what) {
	echo THREAD . ' ' . REQUEST . " $what\n";
};
/* The first request of the one whose lock is taken away goes undisturbed: later ones must not be told less. */
$task = $job === 'loser' ? ['work', 'loop', 'sleep', 'work'][REQUEST] : $job;

if ($task === 'brief') {
	/* Ends of requests, with and without a lock of their own, while the others are at work. */
	$lock = new RedisLock($options + ['renew' => true]);
	if (REQUEST % 2 && !$lock->acquire()) {
		$say('brief lock not acquired');
	}
	usleep(REQUEST % 7 * 1000);
	return;
}

try {
	SequenceTask::execute($options, function (RedisLock $lock) use ($task, $now, $say) {
		$say('in');
		$begun = $now();
		switch ($task) {
			case 'work':
				while (($left = $begun + 1.5 - $now()) > 0) {
					usleep((int) ($left * 1e6) + 1);
				}
				break;
			case 'loop':
				/* Calls in arguments of calls: where an exception from outside must not arrive. */
				while (strcmp(md5((string) $now()), md5((string) $begun)) && $now() < $begun + 20) {
				}
				break;
			case 'sleep':
				sleep(20);
		}
		$say($lock->isHeld() && $lock->isAcquired() ? 'held' : 'not held');
	});
} catch (RedisLock\LockLostException) {
	$say('lost');
}
