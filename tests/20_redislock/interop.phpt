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

step('taken by theirs', $redis('SET', 'app:interop', 'theirs', 'NX', 'PX', '60000'), $lock->acquire(), $lock->release());
step('released by theirs', $redis('EVAL', $release, 1, 'app:interop', 'theirs'));

step('taken by ours', $lock->acquire(), $redis('SET', 'app:interop', 'theirs', 'NX', 'PX', '60000'), $redis('SETNX', 'app:interop',
	'x'));
/* Their script releases ours by our token, and ours theirs. */
step('their script releases ours', $redis('EVAL', $release, 1, 'app:interop', $lock->getToken()), $lock->isAcquired());
$redis('SET', 'app:interop', 'theirs', 'NX', 'PX', '60000');
$theirs = RedisLock::restore($server->options(['prefix' => 'app:']), 'interop', 'theirs');
step('ours releases theirs', $theirs->keepAlive(5), $theirs->release(), $redis('DBSIZE'));
?>
--EXPECT--
taken by theirs: 'OK', false, false
released by theirs: 1
taken by ours: true, NULL, 0
their script releases ours: 1, false
ours releases theirs: true, true, 0
