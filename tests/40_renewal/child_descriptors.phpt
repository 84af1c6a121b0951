--TEST--
renewal child: holds no descriptor of its parent
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server(true);
$file = fopen("$s->dir/locked", 'w+');
flock($file, LOCK_EX);
$listening = stream_socket_server('tcp://127.0.0.1:0');
$many = array_map(fn () => fopen('/dev/zero', 'r'), range(1, 50));
$lock = new RedisLock($s->options(['name' => 'child_descriptors', 'renew' => true], true));
$_ = $lock->acquire();
$child = await_renewal_child(getmypid());

$list = function () use ($child) {
	$links = [];
	foreach (glob("/proc/$child/fd/*") as $fd) {
		$links[basename($fd)] = preg_replace('/\d+/', 'N', (string) @readlink($fd));
	}
	ksort($links);
	return $links;
};
/* Its connection comes a moment after the lock, and what it got from its parent goes a moment after it began. */
wait_until(fn () => count($list()) === 7 && count(array_keys($list(), 'socket:[N]')) === 2);
print_r(array_count_values($list()));
echo readlink("/proc/$child/cwd"), "\n";

/* What the parent gives up is free at once. */
$address = stream_socket_get_name($listening, false);
fclose($listening);
fclose($file);
$other = fopen("$s->dir/locked", 'r');
var_dump((bool) stream_socket_server("tcp://$address"), flock($other, LOCK_EX | LOCK_NB));

$many = null;
/* A parent that has almost used up its own: the child starts and renews, instead of taking its parent for dead. */
$code = <<<'CODE'
	$lease = new RedisLock($options = ['unix_socket' => $argv[1], 'name' => 'child_descriptors_few']);
	$lock = new RedisLock($options + ['interval' => 0.05, 'renew' => true]);
	$_ = $lease->acquire() && $lease->release(); /* connected */
	while ($open[] = @fopen('/dev/null', 'r'));
	$open = array_slice($open, 0, -1 - $argv[2]);
	$_ = $lock->acquire();
	while ($lock->isHeld() && RedisLock\stats()['renewed'] < 2) {
		usleep(1000);
	}
	echo $argv[2], ' free: ', json_encode($lock->isAcquired()), "\n";
	CODE;
foreach ([3, 4, 5] as $free) {
	echo shell_exec('ulimit -n 200 && exec ' . implode(' ', array_map(escapeshellarg(...), [...Php::command(), '-r', $code, $s->socket, $free])) . ' 2>&1');
}
--EXPECT--
Array
(
    [/dev/null] => 3
    [socket:[N]] => 2
    [anon_inode:[pidfd]] => 1
    [anon_inode:[timerfd]] => 1
)
/
bool(true)
bool(true)
3 free: true
4 free: true
5 free: true
