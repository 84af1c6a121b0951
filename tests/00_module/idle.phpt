--TEST--
A process that does not use the module is not touched by it
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$php = new Php('echo "up\n"; fgets(STDIN);');
$php->await('up');
var_dump(renewal_child($php->pid));
$php->tell('');
var_dump($php->rest(), $php->end());

/* Objects without use: no connection, no renewal child. */
$redis = $server->client();
$before = $redis('CLIENT', 'LIST');
$php = new Php('$a = new RedisLock(["unix_socket" => $argv[1], "name" => "a"]);
	$b = new RedisLock(["unix_socket" => $argv[1], "name" => "b", "renew" => true]);
	$c = RedisLock::restore(["unix_socket" => $argv[1], "name" => "a"], "idle", "token");
	var_dump($a->isHeld(), $a->remaining(), $a->getToken(), $a->release(), $a->keepAlive(), $a->isAcquired());
	var_dump($c->isHeld());
	echo "done\n"; fgets(STDIN);', [$server->socket]);
$php->await('done');
var_dump(substr_count($redis('CLIENT', 'LIST'), "\n") === substr_count($before, "\n"), renewal_child($php->pid));
$php->tell('');
var_dump($php->rest(), $php->end());
var_dump(preg_match('/total_connections_received:(\d+)/', $redis('INFO', 'stats'), $m), $redis('DBSIZE'));
?>
--EXPECT--
int(0)
string(0) ""
array(1) {
  ["exit"]=>
  int(0)
}
bool(true)
int(0)
string(0) ""
array(1) {
  ["exit"]=>
  int(0)
}
int(1)
int(0)
