--TEST--
renewal child: renews, tells and frees also from the namespace of pcntl_unshare(CLONE_NEWPID)
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
if (!function_exists('pcntl_unshare')) {
	die('skip pcntl_unshare() is not there');
}
exec('unshare --pid true 2>/dev/null', $output, $status);
if ($status !== 0) {
	die('skip unshare is refused');
}
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
require_once __DIR__ . '/../inc/timing.inc';

$s = new Server;
$redis = $s->client();
$code = <<<'CODE'
	pcntl_unshare(CLONE_NEWPID);
	pcntl_alarm(20); /* its end, whatever happens */
	if ($argv[2] === 'second' && pcntl_fork() === 0) {
		while (fgets(STDIN) !== false); /* the test ends */
		exit;
	}
	for (;;) {
		try {
			SequenceTask::execute(['unix_socket' => $argv[1], 'name' => 'namespace_of_children', 'ttl' => 1], function () {
				echo "in\n";
				for ($end = now() + 30; now() < $end; usleep(1000));
			});
		} catch (RedisLock\LockLostException) {
			echo "lost\n";
		}
	}
	CODE;

/* The child is the first process of the namespace, its init; or another one. */
foreach (['first', 'second'] as $which) {
	$job = new Php($code, [$s->socket, $which]);
	$job->await('in');
	$token = $redis('GET', 'namespace_of_children');
	var_dump(stays_true(fn () => $redis('GET', 'namespace_of_children') === $token, 2.5));

	$redis('DEL', 'namespace_of_children');
	$deleted = now();
	$job->await('lost');
	expect_taken('told after', $deleted, 0, 1.5);
	$job->await('in');

	$redis('PEXPIRE', 'namespace_of_children', 60000);
	$job->signal(SIGKILL);
	$job->end();
	var_dump(comes_true(fn () => $redis('EXISTS', 'namespace_of_children') === 0, 5));
}
--EXPECT--
bool(true)
told after: ok
bool(true)
bool(true)
told after: ok
bool(true)
