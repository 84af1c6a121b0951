--TEST--
php-lock: a mutex whose lock lives as long as its process, with the keys of php-lock's RedisMutex
--INI--
redislock.prefix=ini:
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_adapters(); ?>
--CONFLICTS--
all
--FILE--
<?php
$framework = 'php-lock';
$prefix = 'php-malkusch-lock:';
require __DIR__ . '/php_lock.inc';
?>
--EXPECT--
-- synchronized
[[true,"result"],0]
business0
[false,"done"]
-- inside itself, and longer than expireTimeout
LogicException0
still held
-- names
10
10
10
-- somebody has it: php-lock's own
waited: ok
redislock: the ttl of a process-bound lock is at most 3600 s, not INF s; it only says how long the lock stays if its machine vanishes
waited for
-- the key is no lock
RedisLock\Exception, 1
Malkusch\Lock\Exception\LockReleaseException < "RedisLock\\Exception", 1
-- lost while the code runs
RedisLock\LockLostException
The lock job[30] was lost before the code had ended, result
-- a waiter of another process is woken, and what a killed one leaves
woken after: ok
free
after: ok
-- trouble with the server
true < RedisLock\ConnectionException
true < RedisLock\ConnectionException
