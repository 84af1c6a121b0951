--TEST--
Option persistent: the next object gets the connection, if it is the same server, user, database and name
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server(true);
$redis = $server->client();
$redis('ACL', 'SETUSER', 'ann', 'on', '>hers', '~*', '+@all');
$opened = fn () => preg_match('/total_connections_received:(\d+)/', $redis('INFO', 'stats'), $m) ? (int) $m[1] : 0;
/* What a new object costs in connections. */
$cost = function (array $options, bool $tcp = false) use ($server, $opened) {
	$before = $opened();
	$lock = new RedisLock($server->options($options + ['name' => 'persistent'], $tcp));
	if (!$lock->acquire() || !$lock->release()) {
		echo "not acquired\n";
	}
	unset($lock);
	return $opened() - $before;
};
echo 'by default: ', $cost([]), $cost([]), "\n";
echo 'persistent: ', $cost(['persistent' => true]), $cost(['persistent' => true]), $cost(['persistent' => 'some id']), "\n";
echo 'not: ', $cost(['persistent' => false]), $cost(['persistent' => '0']), $cost(['persistent' => null]), "\n";
$p = ['persistent' => true];
foreach ([['database' => 1], ['database' => 2], ['auth' => ['ann', 'hers']], ['client_name' => 'me'], ['read_timeout' => 5]] as $other) {
	echo json_encode($other), ': ', $cost($p + $other), $cost($p + $other), "\n";
}
echo 'another address: ', $cost($p, true), $cost($p, true), "\n";
/* The locks of one object do not end up in the database of another. */
$one = new RedisLock($server->options($p + ['name' => 'in 1', 'database' => 1]));
$two = new RedisLock($server->options($p + ['name' => 'in 2', 'database' => 2]));
var_dump($one->acquire(), $two->acquire(), $redis('EXISTS', 'in 1', 'in 2'));
$redis('SELECT', 1);
var_dump($redis('EXISTS', 'in 1', 'in 2'));
$redis('SELECT', 0);
unset($one, $two);

/* What the server has closed is not used. */
kill_clients($redis);
echo 'killed: ', $cost($p), $cost($p), "\n";

/* Two at a time are two connections, of which one was there; a forked copy opens its own. */
$a = new RedisLock($server->options($p + ['name' => 'a']));
$b = new RedisLock($server->options($p + ['name' => 'b']));
$before = $opened();
$_ = $a->acquire();
$_ = $b->acquire();
echo 'two at a time: ', $opened() - $before, "\n";
$a->release();
$b->release();
unset($a, $b);
$before = $opened();
if (($copy = pcntl_fork()) === 0) {
	$cost($p);
	exit;
}
pcntl_waitpid($copy, $status);
echo 'a copy: ', $opened() - $before, ', then ', $cost($p), "\n";
/* No more than sixteen are kept, besides the one used last. */
for ($i = 0; $i < 20; $i++) {
	$cost($p + ['client_name' => "many$i"]);
}
wait_until(fn () => substr_count($redis('CLIENT', 'LIST'), 'name=many') === 17);
echo 'the last: ', $cost($p + ['client_name' => 'many19']), ', the first: ', $cost($p + ['client_name' => 'many0']), "\n";
try {
	new RedisLock(['persistent' => []]);
} catch (TypeError $e) {
	echo $e->getMessage(), "\n";
}
?>
--EXPECT--
by default: 11
persistent: 100
not: 111
{"database":1}: 10
{"database":2}: 10
{"auth":["ann","hers"]}: 10
{"client_name":"me"}: 10
{"read_timeout":5}: 00
another address: 10
bool(true)
bool(true)
int(0)
int(1)
killed: 10
two at a time: 1
a copy: 1, then 0
the last: 0, the first: 1
RedisLock::__construct(): Argument #1 ($params) is not valid: option "persistent" must be true, false or a name, array given
