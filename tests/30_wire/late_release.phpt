--TEST--
A release without an answer in time is said again by its text, for a server that lacks the script
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
$server = new FakeServer(<<<'SCRIPT'
	EXPECT SET late_release * NX PX 60000
	SEND +OK
	EXPECT EVALSHA * 3 late_release {late_release}:rlk:waiters {late_release}:rlk:signal *
	EXPECT EVAL * 3 late_release {late_release}:rlk:waiters {late_release}:rlk:signal *
	WAIT
	SCRIPT);
$lock = new RedisLock($server->options(['name' => 'late_release', 'read_timeout' => 1.5]));
var_dump($lock->acquire());
echo preg_replace('/ \(unix.*/', '', outcome(fn () => $lock->release())), "\n";
$server->tell();
echo $server->verdict();
?>
--EXPECT--
bool(true)
RedisLock\ConnectionException: lock "late_release": the server did not answer in time
played
