--TEST--
reentrant: two servers are two servers, also where their labels are cut before the port
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$host = str_repeat('0', 160) . '177.0.0.1';
$servers = [new Server(true), new Server(true)];
$locks = [];
foreach ($servers as $server) {
	$locks[] = $lock = new RedisLock(['host' => $host, 'port' => $server->port, 'name' => 'reentrant_servers', 'reentrant' => true]);
	var_dump($lock->acquire(), $server->client()('GET', 'reentrant_servers') === $lock->getToken());
}
var_dump($locks[0]->release(), $servers[0]->client()('EXISTS', 'reentrant_servers'),
	$servers[1]->client()('EXISTS', 'reentrant_servers'));
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
int(0)
int(1)
