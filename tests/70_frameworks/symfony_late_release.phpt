--TEST--
Symfony: a token whose release was not answered acquires and extends nothing; acquire() releases it again first
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_vendor(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require __DIR__ . '/../inc/fake_server.inc';
require __DIR__ . '/../inc/outcome.inc';
require vendor_autoload();

use RedisLock\Symfony\RedisLockStore;
use RedisLock\Symfony\RedisSemaphoreStore;
use Symfony\Component\Lock\Key;
use Symfony\Component\Lock\Lock;
use Symfony\Component\Semaphore\Key as SemaphoreKey;
use Symfony\Component\Semaphore\Semaphore;

foreach (['symfony_late_release' => [Key::class, RedisLockStore::class, Lock::class],
	'semaphore:symfony_late_release' => [SemaphoreKey::class, RedisSemaphoreStore::class, Semaphore::class]] as $name => [$keys, $store, $locks]) {
	echo "-- $name\n";
	/* The second connection is quick, while the release over the first one is on its way. */
	$fake = new FakeServer(<<<SCRIPT
		EXPECT SET $name * NX PX 300000
		SEND +OK
		EXPECT EVALSHA * 3 $name ...
		NEXT
		EXPECT EVALSHA * 3 $name ...
		SEND :1
		EXPECT SET $name * NX PX 300000
		SEND +OK
		EXPECT EVALSHA * 1 $name ...
		SEND :1
		SCRIPT);
	$key = new $keys('symfony_late_release', 1);
	$lock = new $locks($key, new $store($fake->options(['read_timeout' => 1])), 300, false);
	$tokens = [];
	foreach (['acquire', 'release', 'isAcquired', 'refresh', 'acquire', 'isAcquired'] as $method) {
		echo "$method: ", strtok(outcome($lock->$method(...)), ':'), "\n";
		$tokens[] = $key->getState($store);
	}
	echo count(array_unique($tokens)), ' tokens; ', $fake->verdict();
}
?>
--EXPECT--
-- symfony_late_release
acquire: true
release: Symfony\Component\Lock\Exception\LockReleasingException
isAcquired: false
refresh: Symfony\Component\Lock\Exception\LockConflictedException
acquire: true
isAcquired: true
2 tokens; played
-- semaphore:symfony_late_release
acquire: true
release: Symfony\Component\Semaphore\Exception\RuntimeException
isAcquired: false
refresh: Symfony\Component\Semaphore\Exception\SemaphoreExpiredException
acquire: true
isAcquired: true
2 tokens; played
