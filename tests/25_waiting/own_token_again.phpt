--TEST--
The option token: what is still under way of one try does not free what a later one with the same token got
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../chaos/Proxy.php';

/* A server that ends waits late: its timer ticks once a second. */
$s = new Server(false, '--hz', '1');
$redis = $s->client();
/* What stands behind a BLPOP runs when that ends. */
$settled = fn () => wait_until(fn () => !str_contains($redis('CLIENT', 'LIST'), 'flags=b'), 10);

echo "-- a wait that was over before the server knew\n";
foreach (['same object' => [], 'an object for each try' => ['persistent' => true], 'process-bound' => ['renew' => true]] as $what => $more) {
	$options = $s->options(['name' => 'own', 'token' => RedisLock::newToken(), 'ttl' => 10] + $more);
	$redis('SET', 'own', 'foreign', 'PX', '60000');
	$lock = new RedisLock($options);
	var_dump($lock->acquire(0.6));
	if ($what !== 'same object') {
		unset($lock);
		$lock = new RedisLock($options);
	}
	$redis('DEL', 'own');
	if ($what === 'same object') {
		echo $what, ': ', preg_replace('/for \d+/', 'for N', outcome(fn () => $lock->acquire())), "\n";
		$settled();
		$redis('DEL', 'own');
		continue;
	}
	var_dump($lock->acquire(10)); /* the other's SET may come first, for the time that is given to who waits */
	$settled();
	echo $what, ': ', $redis('GET', 'own') === $lock->getToken() ? 'kept' : 'freed', "\n";
	var_dump($lock->release());
}

echo "-- a request that arrives late\n";
$tcp = new Server(true);
$proxy = new Proxy($tcp->port);
$lock = new RedisLock(['host' => '127.0.0.1', 'port' => $proxy->port, 'name' => 'late', 'token' => RedisLock::newToken(), 'ttl' => 200,
	'read_timeout' => 1.5]);
$proxy->tell('delay 600000');
try {
	$_ = $lock->acquire();
} catch (RedisLock\ConnectionException $e) {
	echo $e->getMessage(), "\n";
}
/* From here on others overtake what was sent. Nothing follows it that would free what comes now. */
$proxy->tell('delay 0');
$lock = new RedisLock(['host' => '127.0.0.1', 'port' => $proxy->port, 'name' => 'late', 'token' => $lock->getToken(), 'ttl' => 200]);
var_dump($lock->acquire());
$proxy->tell('arrive');
$redis = $tcp->client();
wait_until(fn () => preg_match('/cmdstat_set:calls=2/', $redis('INFO', 'COMMANDSTATS')), 10);
var_dump($redis('GET', 'late') === $lock->getToken(), $lock->release());
?>
--EXPECTF--
-- a wait that was over before the server knew
bool(false)
same object: RedisLock\ConnectionException: lock "own": the token is spent for N ms: a request with it was not answered, and may still be executed
bool(false)
bool(true)
an object for each try: kept
bool(true)
bool(false)
bool(true)
process-bound: kept
bool(true)
-- a request that arrives late
lock "late": the server did not answer in time (tcp://127.0.0.1:%d)
bool(true)
bool(true)
bool(true)
