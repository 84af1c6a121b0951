--TEST--
A silent server, and the process ends: what it had sent still does not stay locked
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
$server = new Server();
$redis = $server->client();
$lock = new RedisLock($server->options(['name' => 'silent_exit']));
$_ = $lock->acquire();
$lock->release();
$redis('CONFIG', 'RESETSTAT');
$server->freeze();
$php = new Php('$lock = new RedisLock(["unix_socket" => $argv[1], "name" => "silent_exit", "read_timeout" => 0.1]);
	try { $_ = $lock->acquire(); } catch (RedisLock\ConnectionException $e) { echo $e->getMessage(), "\n"; }',
		[$server->socket]);
echo $php->rest();
var_dump($php->end());
$server->thaw();
$ran = fn (string $command) => str_contains($redis('INFO', 'commandstats'), "cmdstat_$command:calls=1");
var_dump(comes_true(fn () => $ran('set') && $ran('eval')), $redis('DBSIZE'));
?>
--EXPECTF--
lock "silent_exit": the server did not answer in time (unix://%s)
array(1) {
  ["exit"]=>
  int(0)
}
bool(true)
int(0)
