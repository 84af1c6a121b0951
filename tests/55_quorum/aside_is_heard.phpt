--TEST--
Quorums: a server that was slow to answer when a lock was acquired takes part in its extensions once it has answered
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--EXTENSIONS--
posix
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';

$servers = servers(3);
$lock = new RedisLock(['servers' => addresses($servers, 0.3), 'name' => 'aside', 'ttl' => 30]);
/* Connected, and free everywhere. */
wait_until(fn () => $lock->acquire() && $lock->release() && where($servers, 'aside') === '...');
$servers[0]->freeze();
var_dump($lock->acquire(), $lock->keepAlive(30));
pause(0.4, 'it is given up then');
var_dump($lock->keepAlive(30));
$servers[0]->thaw();
wait_until(fn () => $servers[0]->client()('GET', 'aside') === $lock->getToken());
$redis = $servers[0]->client();
wait_until(fn () => $redis('PTTL', 'aside') < 29_500);
wait_until(fn () => $lock->keepAlive(30) && $redis('PTTL', 'aside') > 29_500, 5);
/* With it, the lock bears the failure of another. */
$servers[1]->kill();
wait_until(fn () => $lock->keepAlive(30), 5);
--EXPECT--
bool(true)
bool(true)
bool(true)
