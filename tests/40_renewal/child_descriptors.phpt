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
