--TEST--
Quorums: connections that balancers have forgotten, or servers have just closed, to all or most of the servers, kept or from the pool
--EXTENSIONS--
sockets
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
require __DIR__ . '/../inc/stale.inc';
$servers = servers(3);
$clients = array_map(fn ($server) => $server->client(), $servers);
$proxies = array_map(fn ($server) => new Proxy($server->port), $servers);
$through = array_map(fn ($proxy) => "127.0.0.1:$proxy->port", $proxies);
$limits = ['timeout' => 5, 'read_timeout' => 5];
/* What most of them have, if most have the same. The last one may keep a lock until its ttl ends, or be without it: nobody waits for
 * its answer. So may another one keep that of an earlier attempt. */
$token = function (string $key) use ($clients) {
	$have = array_count_values(array_map(fn ($redis) => (string) $redis('GET', $key), $clients));
	arsort($have);
	return key($have) === '' || current($have) < 2 ? null : key($have);
};
$ways = [
	'all forgotten' => fn () => array_map(fn ($proxy) => $proxy->tell('forget'), $proxies),
	'most forgotten' => fn () => array_map(fn ($proxy) => $proxy->tell('forget'), array_slice($proxies, 0, 2)),
	'all closed by the servers' => fn () => array_map(kill_clients(...), $clients),
];
foreach ($ways as $name => $cut) {
	foreach ([false, true] as $persistent) {
		echo $name, $persistent ? ", from the pool\n" : ", kept\n";
		over_stale(['servers' => $through, 'persistent' => $persistent, 'name' => "quorum_stale $name $persistent"] + $limits, $cut, $token);
	}
}
echo "RedLock\n";
$red = new RedLock($through, 1, 1, $limits);
for ($i = 0; $i < 3; $i++) {
	$ways['all forgotten']();
	$lock = $red->lock("quorum_stale$i", 30000);
	var_dump(is_array($lock) && $lock['token'] === $token("quorum_stale$i"));
	$ways['all forgotten']();
	var_dump($red->unlock($lock), comes_true(fn () => $token("quorum_stale$i") === null));
}
?>
--EXPECT--
all forgotten, kept
acquire: true, its token, true
with a wait: true, its token, true
process-bound: true, its token, true
lock(): true, its token, true
keepAlive: true, its token, true, true
isAcquired: true, its token, true, true
holder: true, its token, true, true
all forgotten, from the pool
acquire: true, its token, true
with a wait: true, its token, true
process-bound: true, its token, true
lock(): true, its token, true
keepAlive: true, its token, true, true
isAcquired: true, its token, true, true
holder: true, its token, true, true
most forgotten, kept
acquire: true, its token, true
with a wait: true, its token, true
process-bound: true, its token, true
lock(): true, its token, true
keepAlive: true, its token, true, true
isAcquired: true, its token, true, true
holder: true, its token, true, true
most forgotten, from the pool
acquire: true, its token, true
with a wait: true, its token, true
process-bound: true, its token, true
lock(): true, its token, true
keepAlive: true, its token, true, true
isAcquired: true, its token, true, true
holder: true, its token, true, true
all closed by the servers, kept
acquire: true, its token, true
with a wait: true, its token, true
process-bound: true, its token, true
lock(): true, its token, true
keepAlive: true, its token, true, true
isAcquired: true, its token, true, true
holder: true, its token, true, true
all closed by the servers, from the pool
acquire: true, its token, true
with a wait: true, its token, true
process-bound: true, its token, true
lock(): true, its token, true
keepAlive: true, its token, true, true
isAcquired: true, its token, true, true
holder: true, its token, true, true
RedLock
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
