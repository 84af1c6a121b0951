--TEST--
A keepAlive() that was not confirmed: the shorter of both validities counts
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
$server = new FakeServer(<<<'SCRIPT'
	EXPECT SET shortened * NX PX 60000
	SEND +OK
	EXPECT EVALSHA * 1 shortened * 90000
	SILENCE
	EXPECT EVALSHA * 1 shortened * 2000
	SILENCE
	SCRIPT);
$lock = new RedisLock($server->options(['name' => 'shortened', 'read_timeout' => 0.5]));
var_dump($lock->acquire());
foreach ([[90, 59.4], [2, 2]] as [$ttl, $limit]) {
	echo preg_replace('/ \(unix.*/', '', outcome(fn () => $lock->keepAlive($ttl))), "\n";
	expect_between('remaining', $lock->remaining(), $limit - 30, $limit);
}
unset($lock);
echo $server->verdict();
?>
--EXPECT--
bool(true)
RedisLock\ConnectionException: lock "shortened": the server did not answer in time
remaining: ok
RedisLock\ConnectionException: lock "shortened": the server did not answer in time
remaining: ok
played
