--TEST--
php-lock 2: the same mutex, with the keys of that version
--INI--
redislock.prefix=ini:
--SKIPIF--
<?php
require __DIR__ . '/../inc/vendor.inc';
skip_unless_vendor();
is_dir(__DIR__ . '/../../build/vendor-php-lock-2') || die('skip scripts/vendor.sh has found no php-lock 2');
?>
--CONFLICTS--
all
--FILE--
<?php
use malkusch\lock\exception\LockAcquireException;
use RedisLock\PhpLock\RedisLockMutex;

$framework = 'php-lock-2';
$prefix = 'lock_';
require __DIR__ . '/php_lock.inc';

echo "-- beside php-lock's own\n";
require vendor_autoload();
$server = new Server;
$own = new malkusch\lock\mutex\PredisMutex([new Predis\Client("unix:$server->socket")], 'both', 1);
$ours = new RedisLockMutex('both', $server->options(), 0.2);
foreach ([[$own, $ours], [$ours, $own]] as [$holds, $comes]) {
	try {
		$holds->synchronized(fn () => $comes->synchronized(fn () => print "must not run\n"));
	} catch (LockAcquireException $e) {
		echo get_class($e), "\n";
	}
}
echo $own->synchronized(fn () => 'own'), ', ', $ours->synchronized(fn () => 'ours'), "\n";
echo 'lacks ', json_encode(array_values(array_diff(get_class_methods($own), get_class_methods($ours)))), "\n";
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
malkusch\lock\exception\LockReleaseException < "RedisLock\\Exception", 1
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
-- beside php-lock's own
malkusch\lock\exception\TimeoutException
malkusch\lock\exception\TimeoutException
own, ours
lacks ["setLogger"]
