--TEST--
The release behind an unanswered SET has the token of that SET, and the next try another
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
$server = new FakeServer(<<<'SCRIPT'
	EXPECT SET late_token first NX PX 60000
	EXPECT EVAL * 3 late_token {late_token}:rlk:waiters {late_token}:rlk:signal first
	WAIT
	SCRIPT);
$lock = new RedisLock($server->options(['name' => 'late_token', 'read_timeout' => 0.05, 'token' => 'first']));
echo get_class((function () use ($lock) {
	try {
		$lock->acquire();
	} catch (Throwable $e) {
		return $e;
	}
})()), "\n";
$server->tell();
echo $server->verdict();
?>
--EXPECT--
RedisLock\ConnectionException
played
