--TEST--
A balancer that answers what comes over an idle connection by a reset: every call goes over a new one
--EXTENSIONS--
sockets
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/stale.inc';
$server = new Server(true);
$redis = $server->client();
$proxy = new Proxy($server->port);
$options = ['host' => '127.0.0.1', 'port' => $proxy->port];
foreach ([false, true] as $persistent) {
	echo $persistent ? "from the pool\n" : "kept\n";
	over_stale($options + ['persistent' => $persistent], fn () => $proxy->tell('forget'), fn ($key) => $redis('GET', $key));
}
/* All that the pool has may be like that. */
$locks = array_map(fn ($i) => new RedisLock($options + ['persistent' => true, 'name' => "stale$i"]), range(1, 4));
foreach ($locks as $lock) {
	$lock->acquire() && $lock->release();
}
unset($lock, $locks);
$proxy->tell('forget');
$lock = new RedisLock($options + ['persistent' => true, 'name' => 'stale']);
var_dump($lock->acquire(), $lock->release());
?>
--EXPECT--
kept
acquire: true, its token, true
with a wait: true, its token, true
process-bound: true, its token, true
lock(): true, its token, true
keepAlive: true, its token, true, true
isAcquired: true, its token, true, true
holder: true, its token, true, true
from the pool
acquire: true, its token, true
with a wait: true, its token, true
process-bound: true, its token, true
lock(): true, its token, true
keepAlive: true, its token, true, true
isAcquired: true, its token, true, true
holder: true, its token, true, true
bool(true)
bool(true)
