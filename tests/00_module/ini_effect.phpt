--TEST--
INI settings: server, prefix and ttl hold where the options say nothing
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
ini_set('redislock.server', "unix://$server->socket?database=3");
ini_set('redislock.prefix', 'ini_effect:');
ini_set('redislock.ttl', '7.5');

$lock = new RedisLock(['name' => 'a']);
echo $lock, ' ', var_export($lock->acquire(), true), "\n";
$redis = $server->client();
$redis('SELECT', 3);
var_dump($redis('KEYS', '*'));
expect_between('PTTL', $redis('PTTL', 'ini_effect:a'), 1, 7500);
echo new RedisLock(['ttl' => 9]), ' ', new RedisLock(['renew' => true]), "\n";

$other = new RedisLock(['name' => 'a', 'prefix' => 'own:', 'database' => 4]);
var_dump($other->acquire());
$redis('SELECT', 4);
var_dump($redis('KEYS', '*'));

?>
--EXPECT--
a[7.5] true
array(1) {
  [0]=>
  string(12) "ini_effect:a"
}
PTTL: ok
[9] [7.5]
bool(true)
array(1) {
  [0]=>
  string(5) "own:a"
}
