--TEST--
An answer that comes after the ttl is over is no lock
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
foreach (['fresh' => null, 'given' => 'mine'] as $what => $token) {
	/* With a given token another process may hold the lock by then. */
	$release = $token === null ? "EXPECT EVALSHA * 3 slow_answer {slow_answer}:rlk:waiters {slow_answer}:rlk:signal *\nSEND :0\n" : '';
	$server = new FakeServer("EXPECT SET slow_answer * NX PX 20\nDELAY 40\nSEND +OK\n{$release}EXPECT-CLOSE");
	$lock = new RedisLock($server->options(['name' => 'slow_answer', 'ttl' => 0.02] + ($token !== null ? ['token' => $token] : [])));
	echo "$what: ", preg_replace('/ \(unix.*/', '', outcome(fn () => $lock->acquire())), "\n";
	var_dump($lock->isHeld());
	unset($lock);
	echo $server->verdict();
}
?>
--EXPECT--
fresh: RedisLock\ConnectionException: lock "slow_answer": the answer took longer than the ttl of 20 ms
bool(false)
played
given: RedisLock\ConnectionException: lock "slow_answer": the answer took longer than the ttl of 20 ms
bool(false)
played
