--TEST--
The option token: nothing is sent behind an unanswered SET, and the token is spent until its ttl is over
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
$server = new FakeServer(<<<'SCRIPT'
	EXPECT SET late_token first NX PX 3000
	EXPECT-CLOSE
	EXPECT SET late_token first NX PX 3000
	SEND +OK
	EXPECT EVALSHA * 3 late_token {late_token}:rlk:waiters {late_token}:rlk:signal first
	SEND :1
	SCRIPT);
$lock = new RedisLock($server->options(['name' => 'late_token', 'read_timeout' => 1.5, 'token' => 'first', 'ttl' => 3]));
foreach ([1, 2] as $try) {
	echo preg_replace(['/ \(unix.*/', '/for \d+ ms/'], ['', 'for N ms'], outcome(fn () => $lock->acquire())), "\n";
}
pause(3, 'the ttl is over then');
var_dump($lock->acquire(), $lock->release());
unset($lock);
echo $server->verdict();
?>
--EXPECT--
RedisLock\ConnectionException: lock "late_token": the server did not answer in time
RedisLock\ConnectionException: lock "late_token": the token is spent for N ms: a request with it was not answered, and may still be executed
bool(true)
bool(true)
played
