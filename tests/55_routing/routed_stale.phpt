--TEST--
Sentinel and Cluster: a connection that was forgotten by a balancer, or just closed by the server, costs nothing but a new one
--EXTENSIONS--
sockets
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/sentinel.inc';
require __DIR__ . '/../inc/stale.inc';
$master = new Server(true);
$sentinel = new Sentinel();
$node = new Server(true, '--cluster-enabled', 'yes');
$node->client()('CLUSTER', 'ADDSLOTS', ...range(0, 16383));
wait_until(fn () => str_contains($node->client()('CLUSTER', 'INFO'), 'cluster_state:ok'));
$proxies = [new Proxy($master->port), new Proxy($node->port)];
$sentinel->start("sentinel monitor service 127.0.0.1 {$proxies[0]->port} 1");
wait_until(fn () => @fsockopen('127.0.0.1', $sentinel->port));
$kinds = [
	'Sentinel' => [$master->client(), $proxies[0], ['sentinels' => ["127.0.0.1:$sentinel->port"], 'service' => 'service']],
	'Cluster' => [$node->client(), $proxies[1], ['cluster' => ["127.0.0.1:{$proxies[1]->port}"]]],
];
foreach ($kinds as $kind => [$redis, $proxy, $options]) {
	$cuts = [
		'forgotten' => fn () => $proxy->tell('forget'),
		/* Sentinels come back at once, so there is no telling by the number of them. */
		'closed' => fn () => $redis('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'),
	];
	foreach ($cuts as $name => $cut) {
		foreach ([false, true] as $persistent) {
			echo "$kind, $name, ", $persistent ? "from the pool\n" : "kept\n";
			over_stale($options + ['persistent' => $persistent], $cut, fn ($key) => $redis('GET', $key));
		}
	}
}
?>
--EXPECT--
Sentinel, forgotten, kept
acquire: true, its token, true
with a wait: true, its token, true
process-bound: true, its token, true
lock(): true, its token, true
keepAlive: true, its token, true, true
isAcquired: true, its token, true, true
holder: true, its token, true, true
Sentinel, forgotten, from the pool
acquire: true, its token, true
with a wait: true, its token, true
process-bound: true, its token, true
lock(): true, its token, true
keepAlive: true, its token, true, true
isAcquired: true, its token, true, true
holder: true, its token, true, true
Sentinel, closed, kept
acquire: true, its token, true
with a wait: true, its token, true
process-bound: true, its token, true
lock(): true, its token, true
keepAlive: true, its token, true, true
isAcquired: true, its token, true, true
holder: true, its token, true, true
Sentinel, closed, from the pool
acquire: true, its token, true
with a wait: true, its token, true
process-bound: true, its token, true
lock(): true, its token, true
keepAlive: true, its token, true, true
isAcquired: true, its token, true, true
holder: true, its token, true, true
Cluster, forgotten, kept
acquire: true, its token, true
with a wait: true, its token, true
process-bound: true, its token, true
lock(): true, its token, true
keepAlive: true, its token, true, true
isAcquired: true, its token, true, true
holder: true, its token, true, true
Cluster, forgotten, from the pool
acquire: true, its token, true
with a wait: true, its token, true
process-bound: true, its token, true
lock(): true, its token, true
keepAlive: true, its token, true, true
isAcquired: true, its token, true, true
holder: true, its token, true, true
Cluster, closed, kept
acquire: true, its token, true
with a wait: true, its token, true
process-bound: true, its token, true
lock(): true, its token, true
keepAlive: true, its token, true, true
isAcquired: true, its token, true, true
holder: true, its token, true, true
Cluster, closed, from the pool
acquire: true, its token, true
with a wait: true, its token, true
process-bound: true, its token, true
lock(): true, its token, true
keepAlive: true, its token, true, true
isAcquired: true, its token, true, true
holder: true, its token, true, true
