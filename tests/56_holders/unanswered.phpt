--TEST--
permits: a try without an answer leaves nothing behind
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$lock = fn (array $more) => new RedisLock($server->options($more + ['name' => 'unanswered', 'permits' => 3, 'weight' => 2, 'read_timeout' => 0.2]));
foreach ([[], ['token' => 'mine', 'ttl' => 1.5], ['renew' => true]] as $more) {
	$one = $lock($more);
	step('once', $one->acquire(), $one->release());
	if ($more === ['renew' => true]) {
		$one = $lock([]);
		$one->isAcquired();
	}
	$server->freeze();
	try {
		$_ = $one->acquire();
	} catch (RedisLock\ConnectionException) {
		echo "no answer\n";
	}
	$server->thaw();
	wait_until(fn () => $redis('EXISTS', 'unanswered') === 0);
	step('and afterwards', $lock([])->acquire());
	$redis('DEL', 'unanswered');
}

/* A release without an answer. */
$one = $lock(['renew' => true]);
$_ = $one->acquire();
$server->freeze();
try {
	$one->release();
} catch (RedisLock\ConnectionException) {
	echo "no answer\n";
}
$server->thaw();
wait_until(fn () => $redis('EXISTS', 'unanswered') === 0);
step('and afterwards', $one->isHeld(), $one->acquire(), $redis('ZCARD', 'unanswered'), $one->release());

/* A downgrade without an answer: executed late, it would let others in beside one who is alone again. */
$one = new RedisLock($server->options(['name' => 'unanswered', 'ttl' => 60, 'read_timeout' => 0.2]));
$_ = $one->acquire();
$server->freeze();
try {
	$one->downgrade();
} catch (RedisLock\ConnectionException) {
	echo "no answer\n";
}
$server->thaw();
try {
	$one->upgrade();
} catch (RedisLock\ConnectionException $e) {
	echo $e->getMessage(), "\n";
}
step('and afterwards', $one->release(), $one->acquire(), $one->downgrade(), $one->upgrade(), $one->release());

/* An upgrade without an answer may be executed: it is asked for again, or ended. */
$one = new RedisLock($server->options(['name' => 'unanswered', 'shared' => true, 'ttl' => 60, 'read_timeout' => 0.2]));
$_ = $one->acquire();
$server->freeze();
try {
	$one->upgrade();
} catch (RedisLock\ConnectionException) {
	echo "no answer\n";
}
$server->thaw();
step('and afterwards', $one->isHeld(), $one->upgrade(), $redis('TYPE', 'unanswered'), $one->downgrade(), $redis('TYPE', 'unanswered'), $one->release());
?>
--EXPECT--
once: true, true
no answer
and afterwards: true
once: true, true
no answer
and afterwards: true
once: true, true
no answer
and afterwards: true
no answer
and afterwards: false, true, 2, true
no answer
lock "unanswered": a downgrade() was not answered, and may still be executed: release the lock, and acquire it anew
and afterwards: true, true, true, true, true
no answer
and afterwards: true, true, 'string', true, 'zset', true
