--TEST--
Quorums: password, user, database, socket and time limit of each server, defaults beside the list, kept connections
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
$plain = new Server(true);
$secret = new Server(true, '--requirepass', 'secret');
$other = new Server(false, '--requirepass', 'other');
$user = $secret->client();
$user('AUTH', 'secret');
$user('ACL', 'SETUSER', 'locker', 'on', '>pass', '~*', '+@all');

$config = [
	'servers' => [
		['host' => '127.0.0.1', 'port' => $plain->port, 'password' => ''],
		"redis://locker:pass@127.0.0.1:$secret->port/3",
		['path' => $other->socket, 'client_name' => 'here'],
	],
	'password' => 'other',
	'database' => 2,
	'client_name' => 'beside',
	'timeout' => 5,
	'read_timeout' => 5,
	'name' => 'per_server',
	'persistent' => true,
];
$lock = new RedisLock($config);
var_dump($lock->acquire());
$o = $other->client();
$o('AUTH', 'other');
$admins = [$plain->client(), $user, $o];
foreach ([2, 3, 2] as $i => $database) {
	$admins[$i]('SELECT', $database);
	wait_until(fn () => $admins[$i]('EXISTS', 'per_server') === 1);
	echo $admins[$i]('GET', 'per_server') === $lock->getToken() ? 'has it' : 'has it not';
	preg_match_all('/ name=(here|beside) .* user=(\w+)/', $admins[$i]('CLIENT', 'LIST'), $m, PREG_SET_ORDER);
	echo ', ', $m[0][1], ', ', $m[0][2], "\n";
}
var_dump($lock->release());

/* The connections serve the next object. */
$count = function () use ($admins) {
	return array_sum(array_map(fn ($c) => (int) explode(':', preg_grep('/^total_conn/',
		explode("\r\n", $c('INFO', 'stats')))[1] ?? ':0')[1], $admins));
};
$before = $count();
for ($i = 0; $i < 20; $i++) {
	$lock = null;
	$lock = new RedisLock($config);
	var_dump($lock->acquire() && $lock->release()) ?? 0;
	if ($i === 0) {
		ob_start();
	}
}
ob_end_clean();
expect_between('connections for 20 objects', $count() - $before, 0, 6);

/* A password in the wrong place is none of the messages' business. */
unset($lock);
$config['password'] = 'wrong-one';
$config['servers'][1] = "redis://locker:wrong-two@127.0.0.1:$secret->port";
echo $text = outcome(fn () => (new RedisLock($config))->acquire()), "\n";
?>
--EXPECTF--
bool(true)
has it, beside, default
has it, beside, locker
has it, here, default
bool(true)
bool(true)
connections for 20 objects: ok
RedisLock\ConnectionException: lock "per_server": no majority of the servers, %d of 3 failed: the server refused the credentials: WRONGPASS invalid username-password pair%S (tcp://127.0.0.1:%d)
