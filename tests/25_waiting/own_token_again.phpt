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
require __DIR__ . '/../inc/timing.inc';
require __DIR__ . '/../chaos/Proxy.php';

/* A server that ends waits late: its timer ticks once a second. */
$s = new Server(false, '--hz', '1');
$redis = $s->client();
/* What stands behind a BLPOP runs when that ends. */
$settled = fn () => wait_until(fn () => !str_contains($redis('CLIENT', 'LIST'), 'flags=b'), 10);

echo "-- a wait that was over before the server knew\n";
$options = fn (array $more) => $s->options(['name' => 'own', 'token' => RedisLock::newToken(), 'ttl' => 10] + $more);
$wait_in_vain = function (RedisLock $lock) use ($redis): bool {
	$redis('SET', 'own', 'foreign', 'PX', '60000');
	$redis('BLPOP', 'own:nothing', '0.01'); /* ends with a tick, and the next one comes in a second */
	return $lock->acquire(0.6);
};
[$got, $again] = unless_stalled(function () use ($redis, $options, $wait_in_vain, $settled) {
	$lock = new RedisLock($options([]));
	$got = $wait_in_vain($lock);
	$redis('DEL', 'own');
	$again = outcome(fn () => $lock->acquire());
	$settled();
	$redis('DEL', 'own');
	return [$got, $again];
}, fn (array $came) => $came[1] !== 'true');
var_dump($got);
echo 'same object: ', preg_replace('/for \d+/', 'for N', $again), "\n";
foreach (['an object for each try' => ['persistent' => true], 'process-bound' => ['renew' => true]] as $what => $more) {
	$own = $options($more);
	var_dump($wait_in_vain(new RedisLock($own)));
	$lock = new RedisLock($own);
	$redis('DEL', 'own');
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
