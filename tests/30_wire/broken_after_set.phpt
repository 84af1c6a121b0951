--TEST--
A connection that breaks when the SET has run and its answer has not come: the key is freed over another one
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
$server = new Server();
$redis = $server->client();
$proxy = Php::program(__DIR__ . '/broken_after_set.inc', [$path = "$server->dir/proxy", $server->socket]);
$proxy->await('listening');
foreach ([['name' => 'broken_after_set:0'], ['name' => 'broken_after_set:1', 'fence' => true], ['name' => 'broken_after_set:2']] as $options) {
	$lock = new RedisLock($options + ['path' => $path]);
	echo preg_replace('/ \(unix.*/', '', outcome(fn () => $lock->acquire())), "\n";
	var_dump($lock->isHeld(), comes_true(fn () => $redis('EXISTS', $options['name']) === 0), $lock->acquire(), $lock->release());
}
?>
--EXPECT--
RedisLock\ConnectionException: lock "broken_after_set:0": the server closed the connection
bool(false)
bool(true)
bool(true)
bool(true)
RedisLock\ConnectionException: lock "broken_after_set:1": the server closed the connection
bool(false)
bool(true)
bool(true)
bool(true)
RedisLock\ConnectionException: lock "broken_after_set:2": the server closed the connection
bool(false)
bool(true)
bool(true)
bool(true)
