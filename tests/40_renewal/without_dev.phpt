--TEST--
renewal child: holds no standard descriptor of its parent where there is no /dev/null
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
require __DIR__ . '/../inc/mounts.inc';
if (mounts_of_its_own() === null) {
	die('skip unshare is refused');
}
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
require __DIR__ . '/../inc/mounts.inc';

$s = new Server;
file_put_contents("$s->dir/job.php", '<?php require ' . var_export(realpath(__DIR__ . '/../inc/redislock.inc'), true) . <<<'CODE'
;
SequenceTask::execute(['unix_socket' => $argv[1], 'name' => 'without_dev'], function () {
	echo await_renewal_child(getmypid()), "\n";
	sleep(60);
});
CODE);
/* As in FPM, whose workers have the listening socket as descriptor 0. */
$listening = stream_socket_server('tcp://127.0.0.1:0');
$address = stream_socket_get_name($listening, false);
$job = proc_open([...mounts_of_its_own(), 'sh', '-c', 'mount -t tmpfs none /dev && exec "$@" 0<&3 1>&4 2>&1 3<&- 4>&-', 'sh', ...Php::command(), "$s->dir/job.php", $s->socket],
	[3 => $listening, 4 => ['pipe', 'w']], $pipes);
$child = (int) fgets($pipes[4]);
wait_until(fn () => count(glob("/proc/$child/fd/*")) === 7);
/* In a chroot its root has a longer name from here. */
$root = readlink("/proc/$child/root");
foreach ([0, 1, 2] as $descriptor) {
	var_dump(readlink("/proc/$child/fd/$descriptor") === $root);
}

/* What the job gives up is free at once, though its child goes on: it cannot release yet. */
$s->freeze();
fclose($listening);
posix_kill(proc_get_status($job)['pid'], SIGKILL);
proc_close($job);
var_dump((bool) stream_socket_server("tcp://$address"), is_running($child));
$s->thaw();
$redis = $s->client();
wait_until(fn () => $redis('EXISTS', 'without_dev') === 0);
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
