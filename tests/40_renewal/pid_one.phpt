--TEST--
renewal child: as child of PID 1 it renews and releases, and is killed with it
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
if (!extension_loaded('pcntl')) {
	die('skip pcntl is not loaded');
}
require __DIR__ . '/../inc/mounts.inc';
if (mounts_of_its_own('--pid', '--fork', '--mount-proc', '--kill-child') === null) {
	die('skip unshare is refused');
}
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
require __DIR__ . '/../inc/mounts.inc';

$s = new Server;
$redis = $s->client();
file_put_contents("$s->dir/one.php", '<?php require ' . var_export(realpath(__DIR__ . '/../inc/redislock.inc'), true) . <<<'CODE'
;
$lock = new RedisLock(['unix_socket' => $argv[1], 'name' => 'pid_one', 'renew' => true, 'ttl' => $argv[2], 'interval' => 0.3]);
$_ = $lock->acquire();
$child = await_renewal_child(1);
echo json_encode([getmypid(), $child > 1, pcntl_wait($status), pcntl_waitpid($child, $status)]), "\n";
/* An orphan that PID 1 inherits is collected, the renewal child is not. */
if (pcntl_fork() === 0) {
	pcntl_fork();
	posix_kill(getmypid(), SIGKILL);
}
echo json_encode([pcntl_wait($status) > 0, pcntl_wait($status) > 0, pcntl_wait($status), renewal_child(1) === $child]), "\n";
fgets(STDIN);
echo json_encode($lock->isHeld()), "\n";
CODE);
$start = function (string $ttl) use ($s) {
	$command = [...mounts_of_its_own('--pid', '--fork', '--mount-proc', '--kill-child'), ...Php::command(), "$s->dir/one.php",
		$s->socket, $ttl];
	$process = proc_open($command, [['pipe', 'r'], ['pipe', 'w'], ['redirect', 1]], $pipes);
	echo fgets($pipes[1]), fgets($pipes[1]);
	$outer = proc_get_status($process)['pid'];
	$one = (int) file_get_contents("/proc/$outer/task/$outer/children");
	return [$process, $pipes, $one, await_renewal_child($one)];
};

[$process, $pipes, , $child] = $start('30');
$token = $redis('GET', 'pid_one');
$last = $redis('PTTL', 'pid_one');
$renewals = 0;
wait_until(function () use ($redis, &$last, &$renewals) {
	[$before, $last] = [$last, $redis('PTTL', 'pid_one')];
	return ($renewals += (int) ($last > $before)) === 4;
});
var_dump($renewals, $token === $redis('GET', 'pid_one'));
fwrite($pipes[0], "end\n");
echo stream_get_contents($pipes[1]);
var_dump(proc_close($process), $redis('EXISTS', 'pid_one'), $child > 0, file_exists("/proc/$child"));

/*
 * The kernel closes the descriptors of a killed PID 1 before it kills the rest of the namespace: a child that runs in
 * between still releases. Stopped, it cannot, and what counts is that it ends and the key expires.
 */
[$process, $pipes, $one, $child] = $start('2');
stop_process($child);
posix_kill($one, SIGKILL);
proc_close($process);
var_dump($child > 0, file_exists("/proc/$child"), comes_true(fn () => $redis('EXISTS', 'pid_one') === 0));
echo 'expired: ', preg_match('/^expired_keys:(\d+)/m', $redis('INFO', 'stats'), $m) ? $m[1] : '?', "\n";
--EXPECT--
[1,true,-1,-1]
[true,true,-1,true]
int(4)
bool(true)
true
int(0)
int(0)
bool(true)
bool(false)
[1,true,-1,-1]
[true,true,-1,true]
bool(true)
bool(false)
bool(true)
expired: 1
