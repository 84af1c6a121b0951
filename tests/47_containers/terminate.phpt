--TEST--
containers: TERM to a PHP that is PID 1 does nothing without a handler; with one, and exit() in it, the lock is free at once
--SKIPIF--
<?php require __DIR__ . '/../inc/container.inc'; skip_unless_container();
--FILE--
<?php
require __DIR__ . '/../inc/container.inc';

$s = new Server;
$redis = $s->client();

$job = new Job(mounts_of_its_own(...CONTAINER), $s, 'terminate_ignored', 1, 'works');
$token = $redis('GET', 'terminate_ignored');
posix_kill($job->pid(1), SIGTERM);
/* The kernel keeps such a signal from PID 1. What shows is that the lock is renewed later on. */
echo 'without a handler: renewed: ', json_encode(is_renewed($redis, 'terminate_ignored', 1)),
	', by the same holder: ', json_encode($redis('GET', 'terminate_ignored') === $token), "\n";
posix_kill($job->pid(1), SIGKILL);
$job->end();
seconds_until_free($redis, 'terminate_ignored');

for ($i = 0; $i < 10; $i++) {
	$job = new Job(mounts_of_its_own(...CONTAINER), $s, "terminate$i", 30, 'handles TERM');
	posix_kill($job->pid(1), SIGTERM);
	$seconds[] = seconds_until_free($redis, "terminate$i");
	$job->end();
}
echo 'with a handler: free before its ttl: ', count(array_filter($seconds, fn ($s) => $s < 5)), " of 10\n";
--EXPECT--
without a handler: renewed: true, by the same holder: true
with a handler: free before its ttl: 10 of 10
