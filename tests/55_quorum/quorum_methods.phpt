--TEST--
Quorums: every method of RedisLock works by majority
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
require_once __DIR__ . '/../inc/timing.inc';
$servers = servers(5, false);
$config = ['servers' => addresses($servers), 'name' => 'quorum_methods', 'ttl' => 20];
$lock = new RedisLock($config);
$other = new RedisLock($config);
/* Two of five are not there. */
$servers[1]->kill();
$servers[4]->kill();

var_dump($lock->acquire(), $other->acquire(), $lock->isHeld(), $other->isHeld(), $lock->isAcquired(), $other->isAcquired());
expect_between('remaining', $lock->remaining(), 19, 20 - 0.2 - 0.002);
var_dump($lock->keepAlive(40), $other->keepAlive());
expect_between('remaining', $lock->remaining(), 38, 40 - 0.4 - 0.002);
$holder = $other->holder();
var_dump($holder['token'] === $lock->getToken(), $holder['pid'] === getmypid());
expect_between('its ttl', $holder['ttl'], 38, 40);
var_dump($lock->lock('quorum_methods:2'), $lock->unlock('quorum_methods:2'));

echo "detach and restore\n";
$token = $lock->detach();
$back = RedisLock::restore($config, 'quorum_methods', $token);
var_dump($lock->isHeld(), $back->isHeld(), $back->isAcquired(), $back->isHeld());
expect_between('remaining', $back->remaining(), 38, 40 - 0.4 - 0.002);
var_dump($back->release(), $back->release(), $other->holder());

echo "forceRelease\n";
var_dump($other->forceRelease(), $lock->acquire(), $other->forceRelease(), $lock->isAcquired(), $lock->isHeld());

echo "reentrant\n";
$a = new RedisLock($config + ['reentrant' => true]);
$b = new RedisLock($config + ['reentrant' => true]);
var_dump($a->acquire(), $b->acquire(), $a->release(), $other->acquire(), $b->release(), $other->acquire(), $other->release());

echo "hold_at_least\n";
$least = new RedisLock($config + ['hold_at_least' => 0.5]);
$start = now();
var_dump($least->acquire(), $least->release(), $lock->acquire(), $other->holder()['resting']);
wait_until(fn () => $lock->acquire());
expect_taken('free again after', $start, 0.45, 5);
$lock->release();

echo "a majority says no, or nobody has one\n";
foreach ([0, 2, 3] as $i) {
	$servers[$i]->client()('SET', 'quorum_methods', "foreign$i");
}
var_dump($lock->acquire(), $lock->holder(), $lock->forceRelease());

echo "too few are left\n";
$_ = $lock->acquire();
$servers[0]->kill();
foreach (['isAcquired', 'keepAlive', 'holder', 'forceRelease', 'release', 'acquire'] as $method) {
	try {
		$_ = $lock->$method();
		echo "$method: no exception\n";
	} catch (RedisLock\ConnectionException $e) {
		$nodes = array_count_values(preg_replace('/^cannot.*/', 'away', $e->getNodes()));
		ksort($nodes);
		echo $method, ': ', json_encode($nodes), ' ', json_encode($e->isRetryable()), "\n";
	} catch (LogicException $e) {
		echo "$method: ", get_class($e), "\n";
	}
}
?>
--EXPECT--
bool(true)
bool(false)
bool(true)
bool(false)
bool(true)
bool(false)
remaining: ok
bool(true)
bool(false)
remaining: ok
bool(true)
bool(true)
its ttl: ok
bool(true)
bool(true)
detach and restore
bool(false)
bool(false)
bool(true)
bool(true)
remaining: ok
bool(true)
bool(false)
NULL
forceRelease
bool(false)
bool(true)
bool(true)
bool(false)
bool(false)
reentrant
bool(true)
bool(true)
bool(true)
bool(false)
bool(true)
bool(true)
bool(true)
hold_at_least
bool(true)
bool(true)
bool(false)
bool(true)
free again after: ok
a majority says no, or nobody has one
bool(false)
NULL
bool(true)
too few are left
isAcquired: {"away":3,"yes":2} true
keepAlive: {"away":3,"yes":2} true
holder: {"away":3,"yes":2} true
forceRelease: {"away":3,"yes":2} true
release: no exception
acquire: {"away":3,"no answer yet":2} true
