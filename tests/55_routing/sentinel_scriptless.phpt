--TEST--
Sentinel: users whom it refuses scripts find the new master, too
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/sentinel.inc';
require __DIR__ . '/../inc/outcome.inc';
$all = new Sentinels(1, 1);
foreach ($all->servers as $server) {
	$server->client()('ACL', 'SETUSER', 'plain', 'on', '>pw', '~*', '+@all', '-eval', '-evalsha');
}
/* Servers of today have a command that compares; older ones hand out no lock. */
if (array_filter($all->servers[0]->client()('COMMAND', 'INFO', 'delex', 'delifeq')) === []) {
	$lock = new RedisLock($all->options(['name' => 'scriptless', 'auth' => ['plain', 'pw']]));
	var_dump(str_contains(outcome($lock->acquire(...)), 'neither DELEX nor DELIFEQ'));
	exit;
}
$locks = [];
foreach (['keepAlive', 'release'] as $method) {
	$locks[$method] = new RedisLock($all->options(['name' => "scriptless_$method", 'ttl' => 60, 'auth' => ['plain', 'pw'], 'label' => $method]));
	var_dump($locks[$method]->acquire());
	$all->awaitCopies("scriptless_$method");
}
/* They change places with nobody's connections ended, so that the old one has to say that it is READONLY. */
[$old, $new] = $all->servers;
$new->client()('REPLICAOF', 'NO', 'ONE');
$old->client()('REPLICAOF', '127.0.0.1', $new->port);
$sentinel = $all->ask($all->sentinels[0]);
var_dump($sentinel('SENTINEL', 'REMOVE', $all->service), $sentinel('SENTINEL', 'MONITOR', $all->service, '127.0.0.1', $new->port, 1));
foreach ($locks as $method => $lock) {
	echo "$method: ", outcome($lock->$method(...)), ' ', $new->client()('EXISTS', "scriptless_$method"), "\n";
}
?>
--EXPECTREGEX--
(bool\(true\)|bool\(true\)
bool\(true\)
string\(2\) "OK"
string\(2\) "OK"
keepAlive: true 1
release: true 0)
