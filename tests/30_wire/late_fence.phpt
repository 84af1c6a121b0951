--TEST--
A fenced acquisition without an answer in time is followed by its release too
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
$server = new FakeServer(<<<'SCRIPT'
	EXPECT EVALSHA * 2 late_fence {late_fence}:rlk:fence * 60000
	EXPECT EVAL * 3 late_fence {late_fence}:rlk:waiters {late_fence}:rlk:signal *
	WAIT
	SCRIPT);
$lock = new RedisLock($server->options(['name' => 'late_fence', 'read_timeout' => 0.05,
	'fence' => true]));
echo preg_replace('/ \(unix.*/', '', outcome(fn () => $lock->acquire())), "\n";
$server->tell();
echo $server->verdict();
?>
--EXPECT--
RedisLock\ConnectionException: lock "late_fence": the server did not answer in time
played
