--TEST--
A wait is not hurried by a server that answers nonsense to its checks
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
/* Each time the next request over the connection of the checks would come before the server closes it. */
foreach (['-9223372036854775808', '9223372036854775807', '-1000000', '+OK'] as $answer) {
	$server = new FakeServer(strtr(<<<'SCRIPT'
		EXPECT SET looks_nonsense * NX PX 60000
		SEND $-1
		EXPECT EVALSHA * 6 looks_nonsense ...
		SENDRAW *4\r\n:0\r\n:9223372036854775806\r\n:1\r\n:1\r\n
		EXPECT BLPOP {looks_nonsense}:rlk:signal *
		EXPECT SET looks_nonsense * NX PX 2000
		NEXT
		EXPECT EVAL * 6 looks_nonsense ...
		SEND ANSWER
		EXPECT-CLOSE
		BACK
		SENDRAW *2\r\n$1\r\na\r\n$1\r\nb\r\n+OK\r\n
		EXPECT EVAL * 1 looks_nonsense ...
		SEND :1
		SCRIPT, ['ANSWER' => $answer[0] === '+' ? $answer : ":$answer"]));
	$lock = new RedisLock($server->options(['name' => 'looks_nonsense']));
	echo outcome(fn () => $lock->acquire(30)), "\n";
	unset($lock);
	echo $server->verdict();
}
?>
--EXPECT--
true
played
true
played
true
played
true
played
