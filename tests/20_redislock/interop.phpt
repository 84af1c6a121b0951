--TEST--
Clients that use a plain SET NX PX and ours exclude each other
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$release = 'if redis.call("get",KEYS[1]) == ARGV[1] then return redis.call("del",KEYS[1]) else return 0 end';
$lock = new RedisLock($server->options(['name' => 'interop', 'prefix' => 'app:']));

var_dump($redis('SET', 'app:interop', 'theirs', 'NX', 'PX', '60000'), $lock->acquire(), $lock->release());
var_dump($redis('EVAL', $release, 1, 'app:interop', 'theirs'));

var_dump($lock->acquire(), $redis('SET', 'app:interop', 'theirs', 'NX', 'PX', '60000'), $redis('SETNX', 'app:interop',
	'x'));
/* Their script releases ours by our token, and ours theirs. */
var_dump($redis('EVAL', $release, 1, 'app:interop', $lock->getToken()), $lock->isAcquired());
$redis('SET', 'app:interop', 'theirs', 'NX', 'PX', '60000');
$theirs = RedisLock::restore($server->options(['prefix' => 'app:']), 'interop', 'theirs');
var_dump($theirs->keepAlive(5), $theirs->release(), $redis('DBSIZE'));
?>
--EXPECT--
string(2) "OK"
bool(false)
bool(false)
int(1)
bool(true)
NULL
int(0)
int(1)
bool(false)
bool(true)
bool(true)
int(0)
