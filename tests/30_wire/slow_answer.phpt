--TEST--
An answer that comes after the ttl is over is no lock
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
$server = new FakeServer(<<<'SCRIPT'
	EXPECT SET slow_answer mine NX PX 20
	DELAY 40
	SEND +OK
	EXPECT EVALSHA * 3 slow_answer {slow_answer}:rlk:waiters {slow_answer}:rlk:signal mine
	SEND :0
	EXPECT-CLOSE
	SCRIPT);
$lock = new RedisLock($server->options(['name' => 'slow_answer', 'token' => 'mine', 'ttl' => 0.02]));
echo preg_replace('/ \(unix.*/', '', outcome(fn () => $lock->acquire())), "\n";
var_dump($lock->isHeld());
unset($lock);
echo $server->verdict();
?>
--EXPECT--
RedisLock\ConnectionException: lock "slow_answer": the answer took longer than the ttl of 20 ms
bool(false)
played
