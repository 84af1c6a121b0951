--TEST--
The option token: nothing is sent behind an unanswered SET, and the next acquire() takes the key for its own if it has the token
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
$server = new FakeServer(<<<'SCRIPT'
	EXPECT SET late_token first NX PX 60000
	EXPECT-CLOSE
	EXPECT SET late_token first NX PX 60000
	SEND $-1
	EXPECT EVALSHA * 1 late_token first 60000
	SEND :1
	SCRIPT);
$lock = new RedisLock($server->options(['name' => 'late_token', 'read_timeout' => 0.5, 'token' => 'first']));
foreach ([1, 2] as $try) {
	echo preg_replace('/ \(unix.*/', '', outcome(fn () => $lock->acquire())), "\n";
}
var_dump($lock->isHeld());
unset($lock);
echo $server->verdict();
?>
--EXPECT--
RedisLock\ConnectionException: lock "late_token": the server did not answer in time
true
bool(true)
played
