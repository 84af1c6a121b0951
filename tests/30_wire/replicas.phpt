--TEST--
min_replicas: a lock counts when enough replicas have it, and goes on counting while they have its renewals
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require_once __DIR__ . '/../inc/timing.inc';
$server = new Server(true, '--repl-diskless-sync-delay', '0');
$replica = new Server(false, '--replicaof', '127.0.0.1', (string) $server->port);
$redis = $server->client();
$copy = $replica->client();
$in_step = fn () => wait_until(fn () => str_contains($copy('INFO', 'replication'), 'master_link_status:up') &&
	$redis('SET', 'first', 1) && $redis('WAIT', 1, 100) === 1);
$in_step();
$options = $server->options(['name' => 'replicas', 'min_replicas' => 1, 'replica_timeout' => 2]);
$plain = fn (string $message) => preg_replace('/ \(unix.*/', '', $message);

$lock = new RedisLock($options);
var_dump($lock->acquire(), $copy('GET', 'replicas') === $lock->getToken());
var_dump((new RedisLock($options))->acquire()); /* held by another: no trouble, no wait for replicas */
var_dump($lock->keepAlive(50), $copy('PTTL', 'replicas') > 40000, $lock->release());

echo "-- one is not enough, or does not answer\n";
foreach ([2 => false, 1 => true] as $wanted => $frozen) {
	if ($frozen) {
		$_ = $lock->acquire();
		$replica->freeze();
		echo $plain(outcome(fn () => $lock->keepAlive(500))), "\n";
		var_dump($lock->isHeld(), $lock->remaining() < 61, $lock->release());
	}
	$start = now();
	$e = null;
	try {
		$_ = (new RedisLock(['min_replicas' => $wanted] + $options))->acquire();
	} catch (RedisLock\ConnectionException $e) {
		echo $plain($e->getMessage()), "\n";
		var_dump($e->isRetryable(), $redis('EXISTS', 'replicas'));
	}
	expect_taken('after', $start, 2, 4);
}
echo $plain(outcome(fn () => SequenceTask::execute($options, fn () => 'never'))), "\n";
$replica->thaw();

echo "-- after a wait\n";
$holder = new RedisLock($server->options(['name' => 'replicas', 'ttl' => 0.2]));
$in_step();
$_ = $holder->acquire();
var_dump($lock->acquire(10), $copy('GET', 'replicas') === $lock->getToken(), $lock->release());

echo "-- renewals\n";
$bound = new RedisLock(['renew' => true, 'ttl' => 6, 'interval' => 0.05, 'replica_timeout' => 0.2] + $options);
$_ = $bound->acquire();
$ttl = $renewals = 0;
wait_until(function () use ($copy, &$ttl, &$renewals) {
	[$before, $ttl] = [$ttl, $copy('PTTL', 'replicas')];
	return ($renewals += (int) ($ttl > $before)) > 3;
});
var_dump($renewals > 3);
/* The master goes on, the replicas do not: what they do not know of may be gone with the master. */
$replica->freeze();
$start = now();
try {
	while (now() - $start < 20) {
		usleep(1000);
	}
	echo "not told\n";
} catch (RedisLock\LockLostException $e) {
	echo $e->getMessage(), "\n";
}
expect_taken('told after', $start, 5, 8);
$replica->thaw();
unset($bound);

echo "-- options\n";
each_configuration([
	['min_replicas' => -1], ['min_replicas' => 101], ['min_replicas' => 'one'], ['replica_timeout' => 0],
	['min_replicas' => '2', 'replica_timeout' => '0.5'], ['min_replicas' => 1, 'ttl' => 0.2],
	['min_replicas' => 1, 'replica_timeout' => 10, 'ttl' => 20], ['min_replicas' => 0, 'replica_timeout' => 10, 'ttl' => 20],
]);
?>
--EXPECT--
bool(true)
bool(true)
bool(false)
bool(true)
bool(true)
bool(true)
-- one is not enough, or does not answer
lock "replicas": 1 of the 2 replicas asked for have the lock after 2000 ms
bool(true)
int(0)
after: ok
RedisLock\ConnectionException: lock "replicas": 0 of the 1 replicas asked for have the lock after 2000 ms
bool(true)
bool(true)
bool(true)
lock "replicas": 0 of the 1 replicas asked for have the lock after 2000 ms
bool(true)
int(0)
after: ok
RedisLock\ConnectionException: lock "replicas": 0 of the 1 replicas asked for have the lock after 2000 ms
-- after a wait
bool(true)
bool(true)
bool(true)
-- renewals
bool(true)
lock "replicas" was lost: it could not be renewed in time
told after: ok
-- options
0: ValueError: option "min_replicas" must be a whole number from 0 to 100, -1 given
1: ValueError: option "min_replicas" must be a whole number from 0 to 100, 101 given
2: TypeError: option "min_replicas" must be a whole number from 0 to 100, string given
3: ValueError: option "replica_timeout" must be a number of seconds of at least 0.001 and at most 315360000, 0 given
4: accepted as [60]
5: ValueError: option "replica_timeout" must be less than half the ttl, which has to last for the wait for replicas and the work
6: ValueError: option "replica_timeout" must be less than half the ttl, which has to last for the wait for replicas and the work
7: accepted as [20]
