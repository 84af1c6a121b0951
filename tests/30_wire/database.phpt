--TEST--
database: selected on every connection, and refused when the server has no such
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
$server = new Server();
$redis = $server->client();
$lock = new RedisLock($server->options(['name' => 'database', 'database' => 9]));
$_ = $lock->acquire();
$redis('SELECT', 9);
var_dump($redis('EXISTS', 'database'));
$redis('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
var_dump($lock->keepAlive(), $lock->release(), $redis('EXISTS', 'database'));
$_ = $lock->acquire();
$redis('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
var_dump($lock->release(), $redis('EXISTS', 'database'));
echo outcome(fn () => (new RedisLock($server->options(['name' => 'database', 'database' => 99])))->acquire()), "\n";
var_dump($redis('INFO', 'keyspace'));
?>
--EXPECTF--
int(1)
bool(true)
bool(true)
int(0)
bool(true)
int(0)
RedisLock\ConnectionException: lock "database": the server answered: ERR DB index is out of range (unix://%s)
string(12) "# Keyspace
"
