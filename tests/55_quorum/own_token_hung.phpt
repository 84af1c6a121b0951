--TEST--
Quorums, the option token: a server that hangs with an earlier try is not thrown, and frees nothing elsewhere; with too few others it is spent
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';

$servers = servers(3);
$params = ['servers' => addresses($servers, 0.5), 'name' => 'hung', 'token' => RedisLock::newToken(), 'ttl' => 20];
$lock = new RedisLock($params);
$servers[2]->freeze();
foreach ([1, 2] as $i) {
	var_dump($lock->acquire(), $lock->release());
	pause(0.55, 'it is given up then');
}
echo "-- and in a wait\n";
foreach ([0, 1] as $i) {
	$servers[$i]->client()('SET', 'hung', 'foreign', 'PX', 300);
}
var_dump($lock->acquire(10), $lock->release());
echo "-- what was under way there frees nothing elsewhere\n";
var_dump($lock->acquire());
$servers[2]->thaw();
$servers[2]->client()('PING');
echo substr(where($servers, 'hung', $lock->getToken()), 0, 2), "\n"; /* the third may have it by now, and keep it for its ttl */
var_dump($lock->release());

echo "-- two of three\n";
$servers[1]->freeze();
$servers[2]->freeze();
$lock = new RedisLock(['servers' => addresses($servers, 0.1)] + $params);
try {
	$_ = $lock->acquire();
} catch (RedisLock\ConnectionException $e) {
	echo $e->getMessage(), "\n";
}
try {
	$_ = $lock->acquire();
} catch (RedisLock\ConnectionException $e) {
	echo $e->getMessage(), "\n";
}
$servers[1]->thaw();
$servers[2]->thaw();
?>
--EXPECTF--
bool(true)
bool(true)
bool(true)
bool(true)
-- and in a wait
bool(true)
bool(true)
-- what was under way there frees nothing elsewhere
bool(true)
xx
bool(true)
-- two of three
lock "hung": no majority of the servers, 2 of 3 failed: the server did not answer in time (tcp://127.0.0.1:%d)
lock "hung": the token is spent for %d ms: a request with it was not answered, and may still be executed
