--TEST--
Quorums: a server that dies or loses its connections between lock and unlock; all restarted; scripts forgotten
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
$servers = servers(5);
$red = new RedLock(addresses($servers), 1, 1);
/* Servers that had not answered or were not connected again by the end of a call are told by the next ones. */
$in_passing = fn () => $red->unlock($red->lock('other', 1000));

echo "two die\n";
$lock = lock_on_all($red, $servers, 'dies');
$servers[0]->kill();
$servers[1]->kill();
var_dump(is_array($red->extend($lock, 60000)), $red->unlock($lock));
$servers[0]->start();
$servers[1]->start();
echo nothing_left($servers), "\n";

echo "three die\n";
$lock = lock_on_all($red, $servers, 'dies');
for ($i = 0; $i < 3; $i++) {
	$servers[$i]->kill();
}
foreach (['extend', 'unlock'] as $method) {
	echo preg_replace('/\d{5}/', 'N', outcome(fn () => $red->$method($lock))), "\n";
}
for ($i = 0; $i < 3; $i++) {
	$servers[$i]->start();
}
/* Back, and empty: no majority has it. */
var_dump($red->unlock($lock));
echo nothing_left($servers), "\n";

echo "connections are killed\n";
$lock = lock_on_all($red, $servers, 'dies');
foreach ($servers as $s) {
	$s->client()('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
}
var_dump(is_array($red->extend($lock, 60000)));
foreach ($servers as $s) {
	$s->client()('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
}
var_dump($red->unlock($lock));
echo nothing_left($servers, $in_passing), "\n";

echo "all restarted\n";
foreach ($servers as $s) {
	$s->kill();
	$s->start();
}
var_dump($red->unlock($red->lock('dies', 60000)));

echo "scripts forgotten\n";
for ($i = 0; $i < 20; $i++) {
	$lock = $red->lock('dies', 60000);
	foreach ($servers as $s) {
		$s->client()('SCRIPT', 'FLUSH');
	}
	if (!$red->unlock($lock)) {
		echo "not unlocked\n";
	}
}
echo nothing_left($servers, $in_passing), "\n";

/* A server that comes back after the release has the key of before, if it remembers: it is released there, too. */
echo "a server was away\n";
$lock = lock_on_all($red, $servers, 'dies');
$servers[0]->freeze();
var_dump($red->unlock($lock));
$servers[0]->thaw();
echo nothing_left($servers), "\n";
?>
--EXPECTF--
two die
bool(true)
bool(true)
nothing is left
three die
RedisLock\ConnectionException: lock "dies": no majority of the servers, %d of 5 failed: %s (tcp://127.0.0.1:N)
RedisLock\ConnectionException: lock "dies": no majority of the servers, %d of 5 failed: %s (tcp://127.0.0.1:N)
bool(false)
nothing is left
connections are killed
bool(true)
bool(true)
nothing is left
all restarted
bool(true)
scripts forgotten
nothing is left
a server was away
bool(true)
nothing is left
