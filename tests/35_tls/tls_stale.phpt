--TEST--
TLS: a connection that was forgotten by a balancer, or just closed by the server, costs nothing but a new one
--EXTENSIONS--
sockets
--SKIPIF--
<?php require __DIR__ . '/../inc/tls.inc'; skip_unless_tls();
--FILE--
<?php
require __DIR__ . '/../inc/tls.inc';
require __DIR__ . '/../inc/stale.inc';
$ca = new Authority;
$server = $ca->server($ca->issue());
$redis = $server->server->client();
$proxy = new Proxy($server->port);
$options = ['port' => $proxy->port] + $server->options();
foreach (['forgotten' => fn () => $proxy->tell('forget'), 'closed' => fn () => kill_clients($redis)] as $name => $cut) {
	foreach ([false, true] as $persistent) {
		echo $name, $persistent ? ", from the pool\n" : ", kept\n";
		over_stale($options + ['persistent' => $persistent], $cut, fn ($key) => $redis('GET', $key));
	}
}
?>
--EXPECT--
forgotten, kept
acquire: true, its token, true
with a wait: true, its token, true
process-bound: true, its token, true
lock(): true, its token, true
keepAlive: true, its token, true, true
isAcquired: true, its token, true, true
holder: true, its token, true, true
forgotten, from the pool
acquire: true, its token, true
with a wait: true, its token, true
process-bound: true, its token, true
lock(): true, its token, true
keepAlive: true, its token, true, true
isAcquired: true, its token, true, true
holder: true, its token, true, true
closed, kept
acquire: true, its token, true
with a wait: true, its token, true
process-bound: true, its token, true
lock(): true, its token, true
keepAlive: true, its token, true, true
isAcquired: true, its token, true, true
holder: true, its token, true, true
closed, from the pool
acquire: true, its token, true
with a wait: true, its token, true
process-bound: true, its token, true
lock(): true, its token, true
keepAlive: true, its token, true, true
isAcquired: true, its token, true, true
holder: true, its token, true, true
