--TEST--
Cluster: nodes that are killed while their locks are held, waited for and asked for; no seed left
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
/* slow: it waits for failovers */
require __DIR__ . '/../inc/cluster.inc';
require __DIR__ . '/../inc/waiting.inc';
require __DIR__ . '/../inc/outcome.inc';
$all = new Cluster();
$options = fn (string $name) => $all->options(['name' => $name, 'ttl' => 20, 'interval' => 0.2], [0, 1]);
[$busy, $asleep, $lease, $queue, $new] = array_map(fn ($n) => $all->name("cluster_failover_$n", 0), range(0, 4));
$copied = function (string ...$names) use ($all) {
	$redis = $all->nodes[3]->client();
	$redis('READONLY');
	wait_until(fn () => array_filter($names, fn ($name) => $redis('EXISTS', $name) === 0) === []);
};

/* It hears nothing until after the failover. */
[$file, $surface] = deep_call();
$deep = new Php('
	$lock = new RedisLock(unserialize(base64_decode($argv[1])));
	var_dump($lock->acquire());
	fgets(STDIN);
	echo flock(fopen($argv[2], "c"), LOCK_EX) ? "deep\n" : "interrupted\n";
	echo now(), "\n";
	var_dump($lock->isHeld(), $lock->remaining() > 17, $lock->release());
	', [base64_encode(serialize(['renew' => true] + $options($busy))), $file]);
echo $deep->line(), "\n";
$locks = ['asleep' => new RedisLock(['renew' => true] + $options($asleep)), 'lease' => new RedisLock(['ttl' => 120] + $options($lease)),
	'queue' => new RedisLock(['renew' => true] + $options($queue))];
foreach ($locks as $lock) {
	var_dump($lock->acquire());
}
no_checks($all->nodes[0]->client(), $queue);
$waiters = ['lease' => new Waiter($options($queue), 120), 'bound' => new Waiter(['renew' => true] + $options($queue), 120)];
await_queue($all->nodes[0]->client(), 2);
$copied($busy, $asleep, $lease, $queue);
$deep->tell('');
$all->kill(0);
$waiters['came later'] = new Waiter($options($new), 60);
$over = $waiters['came later']->got();
echo "somebody has taken over\n";
var_dump($all->owner($new));
var_dump($waiters['came later']->do('release'));
await_queue($all->nodes[3]->client(), 2);
unset($waiters['came later']);
/* Both children find the new master, their parents deep in a call, or asleep. */
var_dump(is_renewed($all->nodes[3]->client(), $busy, 20), is_renewed($all->nodes[3]->client(), $asleep, 20));
$surface();
echo $deep->line(), ' ', $deep->line() > $over ? 'until then' : 'too short', "\n", $deep->rest();
var_dump($locks['asleep']->isHeld(), $locks['asleep']->remaining() > 17, $locks['lease']->isAcquired(), $locks['lease']->release(),
	$locks['asleep']->release());
$left = now();
var_dump($locks['queue']->release());
while ($waiters) {
	wait_until(function () use ($all, $queue, $waiters, &$holding) {
		[, , $pid] = explode(':', $all->nodes[3]->client()('GET', $queue) . '::::');
		$holding = array_search((int) $pid, array_map(fn ($w) => $w->php->pid, $waiters));
		return $holding !== false;
	});
	echo $waiters[$holding]->got() - $left < WOKEN ? 'woken' : 'late', "\n";
	$left = now();
	var_dump($waiters[$holding]->do('release'));
	unset($waiters[$holding]);
}

echo "the Cluster is down\n";
$name = $all->name('cluster_failover_down', 1);
$held = new RedisLock(['ttl' => 6] + $all->options(['name' => $name, 'renew' => true, 'interval' => 0.2]));
var_dump($held->acquire());
$all->kill(4);
$all->kill(1);
$limit = ['timeout' => 0.5, 'read_timeout' => 0.5];
foreach ([0, 2] as $wait) {
	$began = now();
	echo preg_replace('/:[^:]*$/', '', outcome(fn () => (new RedisLock($limit + $options($name)))->acquire($wait))), "\n";
	expect_taken("after $wait s", $began, $wait - 0.05, $wait + 1.5);
}
try {
	$began = now();
	while (now() < $began + 10) {
		usleep(1000);
	}
	echo "not told\n";
} catch (RedisLock\LockLostException $e) {
	echo $e->getMessage(), "\n";
}
foreach ($all->nodes as $node => $_) {
	$all->kill($node);
}
$began = now();
echo preg_replace('/:[^:]*$/', '', outcome(fn () => (new RedisLock($limit + $options('no seed')))->acquire(1))), "\n";
expect_taken('after 1 s', $began, 0.95, 2);
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
somebody has taken over
int(3)
bool(true)
bool(true)
bool(true)
deep until then
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
woken
bool(true)
woken
bool(true)
the Cluster is down
bool(true)
RedisLock\ConnectionException: lock "cluster_failover_down0": cannot connect: Connection refused (tcp://127.0.0.1
after 0 s: ok
RedisLock\ConnectionException: lock "cluster_failover_down0": cannot connect: Connection refused (tcp://127.0.0.1
after 2 s: ok
lock "cluster_failover_down0" was lost: it could not be renewed in time
RedisLock\ConnectionException: lock "no seed": cannot connect: Connection refused (tcp://127.0.0.1
after 1 s: ok
