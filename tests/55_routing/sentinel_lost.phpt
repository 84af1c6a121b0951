--TEST--
Sentinel: a new master that never had the key is a loss, and is told; an outage of all is one when the validity is over
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/sentinel.inc';
require_once __DIR__ . '/../inc/timing.inc';
$all = new Sentinels(1, 1);
[$master, $replica] = $all->servers;
$options = $all->options(['name' => 'sentinel_lost', 'ttl' => 30, 'interval' => 0.2, 'renew' => true]);
$first = new RedisLock($options);
$replica->freeze(); /* not for so long that the sentinel would take it for dead */
var_dump($first->acquire());
$all->alert();
$master->freeze(); /* what it still had to send stays where it is */
$master->kill();
$replica->thaw();
$all->servers = [$replica];
$began = now();
try {
	/* But for what lies in the system's buffers of the connection already. */
	wait_until(fn () => $all->role($replica) === 'master', 25);
	$all->client($replica)('DEL', 'sentinel_lost');
	while (now() < $began + 40) {
		usleep(1000);
	}
	echo "not told\n";
} catch (RedisLock\LockLostException $e) {
	echo $e->getMessage(), "\n";
}
/* Whoever comes next has it, on the new master. */
$next = new RedisLock($all->options(['name' => 'sentinel_lost', 'ttl' => 2.5, 'interval' => 0.2, 'renew' => true]));
var_dump($next->acquire(20), $all->client($replica)('GET', 'sentinel_lost') === $next->getToken(), $first->isHeld());

/* Nobody left. */
$replica->freeze();
$began = now();
try {
	while (now() < $began + 20) {
		usleep(1000);
	}
	echo "not told\n";
} catch (RedisLock\LockLostException $e) {
	echo $e->getMessage(), "\n";
}
expect_taken('when', $began, 1.5, 3.5);
?>
--EXPECT--
bool(true)
lock "sentinel_lost" was lost: its key was deleted or has another owner
bool(true)
bool(true)
bool(false)
lock "sentinel_lost" was lost: it could not be renewed in time
when: ok
