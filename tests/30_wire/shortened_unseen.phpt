--TEST--
A keepAlive() lost with its connection, and no other to be had: the shorter validity counts too
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
$server = new FakeServer(<<<'SCRIPT'
	EXPECT SET shortened_unseen * NX PX 60000
	SEND +OK
	EXPECT EVALSHA * 1 shortened_unseen * 2000
	GONE
	CLOSE
	SCRIPT);
$lock = new RedisLock($server->options(['name' => 'shortened_unseen']));
var_dump($lock->acquire());
echo preg_replace('/: cannot connect.*/', '', outcome(fn () => $lock->keepAlive(2))), "\n";
expect_between('remaining', $lock->remaining(), 0, 2);
echo $server->verdict();
?>
--EXPECT--
bool(true)
RedisLock\ConnectionException: lock "shortened_unseen"
remaining: ok
played
