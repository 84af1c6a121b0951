--TEST--
RedisLock::upgrade(): who does not share the lock any more waits no longer for others to leave, and lets others in
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
$server = new Server();
$server->client()('ACL', 'SETUSER', 'polls', 'on', '>secret', '~*', '+@all', '-blpop');
$polls = ['username' => 'polls', 'password' => 'secret'];
$lock = fn (string $name, float $ttl, array $user = []) => new RedisLock($user + $server->options(['name' => $name, 'shared' => true, 'ttl' => $ttl]));
foreach (['upgrade_lost' => [], 'upgrade_lost:polls' => $polls] as $name => $user) {
	echo "-- $name\n";
	[$stays, $ends, $later] = [$lock($name, 600), $lock($name, 2, $user), $lock($name, 600)];
	/* It learns whether it may block. */
	$busy = new RedisLock($server->options(['name' => 'upgrade_lost:busy', 'ttl' => 600]));
	var_dump($busy->acquire(), $ends->lock('upgrade_lost:busy', RedisLock::BLOCKED, ['waitTime' => 1]), $busy->release());
	var_dump($stays->acquire(), $ends->acquire());
	$start = now();
	var_dump($ends->upgrade(300));
	expect_between('told after', now() - $start, 0, 150);
	var_dump($ends->isHeld(), $later->acquire(300));
	expect_between('shared after', now() - $start, 0, 290);
}
?>
--EXPECT--
-- upgrade_lost
bool(true)
bool(false)
bool(true)
bool(true)
bool(true)
bool(false)
told after: ok
bool(false)
bool(true)
shared after: ok
-- upgrade_lost:polls
bool(true)
bool(false)
bool(true)
bool(true)
bool(true)
bool(false)
told after: ok
bool(false)
bool(true)
shared after: ok
