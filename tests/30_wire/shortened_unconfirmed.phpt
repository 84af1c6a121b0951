--TEST--
A keepAlive() that was not confirmed: the shorter of both validities counts
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
foreach ([[90, 59.4], [2, 2]] as [$ttl, $limit]) {
	$server = new FakeServer("
		EXPECT SET shortened_unconfirmed * NX PX 60000
		SEND +OK
		EXPECT EVALSHA * 1 shortened_unconfirmed * {$ttl}000
		WAIT");
	$lock = new RedisLock($server->options(['name' => 'shortened_unconfirmed', 'read_timeout' => 1.5]));
	var_dump($lock->acquire());
	echo preg_replace('/ \(unix.*/', '', outcome(fn () => $lock->keepAlive($ttl))), "\n";
	expect_between('remaining', $lock->remaining(), $limit - 30, $limit);
	$server->tell();
	echo $server->verdict();
}
?>
--EXPECT--
bool(true)
RedisLock\ConnectionException: lock "shortened_unconfirmed": the server did not answer in time
remaining: ok
played
bool(true)
RedisLock\ConnectionException: lock "shortened_unconfirmed": the server did not answer in time
remaining: ok
played
