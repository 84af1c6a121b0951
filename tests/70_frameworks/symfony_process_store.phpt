--TEST--
Symfony: locks of the store whose locks live as long as the process
--INI--
redislock.prefix=ini:
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_vendor(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require_once __DIR__ . '/../inc/timing.inc';
require vendor_autoload();

use RedisLock\Symfony\ProcessLockStore;
use RedisLock\Symfony\RedisLockStore;
use Symfony\Component\Lock\Key;
use Symfony\Component\Lock\LockFactory;

$server = new Server;
$redis = $server->client();
$store = new ProcessLockStore($server->options());
$factory = new LockFactory($store);
$lease = (new LockFactory(new RedisLockStore($server->options())))->createLock('job');
$thrown = function (callable $code): mixed {
	try {
		return $code();
	} catch (Exception $e) {
		return get_class($e) . ($e->getPrevious() ? ' < ' . get_class($e->getPrevious()) : '');
	}
};
$tell = fn (...$said) => print json_encode($said, JSON_UNESCAPED_SLASHES) . "\n";

$key = new Key('job');
$lock = $factory->createLockFromKey($key, 20);
$tell($lock->isAcquired(), $thrown(fn () => $lock->refresh()), $lock->release());
$tell($lock->acquire(), $lock->acquire(), $lock->acquire(true), $factory->createLock('job')->acquire(), $lease->acquire());
$tell($redis('TTL', 'job') >= 19, $lock->refresh(40), $redis('TTL', 'job') >= 39, $lock->getRemainingLifetime(), $lock->isExpired());
$tell($thrown(fn () => serialize($key)));
$tell($lock->release(), $lock->isAcquired(), $redis('EXISTS', 'job'), $lease->acquire(), $lock->acquire(), $lease->release());

echo "-- renewed beyond its ttl, and lost\n";
$lock = (new LockFactory(new ProcessLockStore($server->options(['interval' => 0.1]))))->createLock('job', 2);
$_ = $lock->acquire();
pause(2.2, 'longer than the ttl');
$tell($lock->isAcquired(), $lease->acquire());
try {
	/* Over a connection of its own: the loss may come before the answer. */
	$server->client()('SET', 'job', 'somebody');
	for ($end = now() + 10; now() < $end;);
} catch (RedisLock\LockLostException $e) {
	echo $e->getMessage(), "\n";
}
$tell($lock->isAcquired(), $lock->release(), $redis('GET', 'job'), $redis('DEL', 'job'), $lock->acquire(), $lock->release());

echo "-- lost before that was noticed, and acquired again\n";
/* However soon the loss is known. */
$quiet = new LockFactory(new ProcessLockStore($server->options(['on_lost' => 'flag'])));
foreach ([null, 20.0] as $ttl) {
	$lock = $quiet->createLock('job', $ttl);
	$_ = $lock->acquire();
	$redis('SET', 'job', 'somebody');
	$said = [$lock->acquire(), $redis('GET', 'job'), $redis('PEXPIRE', 'job', 100), $lock->acquire(true), $lock->isAcquired()];
	$redis('DEL', 'job');
	$tell(...$said, ...[$lock->acquire(), $lock->isAcquired(), $lock->release()]);
}

echo "-- what we refuse\n";
foreach ([[''], ['job:rlk:signal'], ['job', -1], ['job', 0.0001], ['job', 1e12], ['job', INF]] as $arguments) {
	$lock = $factory->createLock(...$arguments);
	$tell($thrown(fn () => $lock->acquire()), $redis('EXISTS', 'job'));
	unset($lock);
}
$tell($thrown(fn () => $lease->acquire()), $thrown(fn () => $lease->release()));

echo "-- without a Lock\n";
$lock = $factory->createLock('auto');
$_ = $lock->acquire();
unset($lock);
$lock = $factory->createLock('kept', 30, false);
$_ = $lock->acquire();
unset($lock);
$tell($redis('EXISTS', 'auto'), $redis('EXISTS', 'kept'));
unset($factory, $store);
$tell($redis('EXISTS', 'kept'));

echo "-- a key that is no lock\n";
$factory = $quiet;
$leases = new LockFactory(new RedisLockStore($server->options()));
foreach ([$factory, $leases] as $from) {
	$redis('HSET', 'hash', 'field', 'value');
	$said = [];
	/* What it is has to be heard within 50 ms. */
	$said['taken'] = unless_stalled(fn () => $thrown(fn () => $from->createLock('hash')->acquire()), is_string(...));
	$lock = $from->createLock('turned');
	$_ = $lock->acquire();
	$redis('DEL', 'turned');
	$redis('HSET', 'turned', 'field', 'value');
	foreach (['acquire', 'refresh', 'isAcquired', 'release'] as $method) {
		$said[$method] = unless_stalled(fn () => $thrown(fn () => (new ReflectionMethod($lock, $method))->invoke($lock)),
			fn (mixed $said) => $method !== 'acquire' || is_string($said));
	}
	foreach ($said as $method => $what) {
		echo $method, ': ', is_string($what) ? str_replace('Symfony\Component\Lock\Exception\\', '', $what) : json_encode($what), "\n";
	}
	$redis('DEL', 'hash', 'turned');
	unset($lock);
}

$server->kill();
$tell($thrown(fn () => (new LockFactory(new ProcessLockStore($server->options())))->createLock('job')->acquire()));
?>
--EXPECT--
[false,"Symfony\\Component\\Lock\\Exception\\LockConflictedException",null]
[true,true,true,false,false]
[true,null,true,null,false]
["Symfony\\Component\\Lock\\Exception\\UnserializableKeyException"]
[null,false,0,true,false,null]
-- renewed beyond its ttl, and lost
[true,false]
lock "job" was lost: its key was deleted or has another owner
[false,null,"somebody",1,true,null]
-- lost before that was noticed, and acquired again
[false,"somebody",1,true,true,true,true,null]
[false,"somebody",1,true,true,true,true,null]
-- what we refuse
["Symfony\\Component\\Lock\\Exception\\LockAcquiringException < Symfony\\Component\\Lock\\Exception\\InvalidArgumentException",0]
["Symfony\\Component\\Lock\\Exception\\LockAcquiringException < Symfony\\Component\\Lock\\Exception\\InvalidArgumentException",0]
["Symfony\\Component\\Lock\\Exception\\LockAcquiringException < Symfony\\Component\\Lock\\Exception\\LockAcquiringException",0]
["Symfony\\Component\\Lock\\Exception\\LockAcquiringException < Symfony\\Component\\Lock\\Exception\\LockAcquiringException",0]
redislock: the ttl of a process-bound lock is at most 3600 s, not 1000000000000 s; it only says how long the lock stays if its machine vanishes
[true,1]
[true,1]
[true,null]
-- without a Lock
[0,1]
[0]
-- a key that is no lock
taken: LockAcquiringException < LockStorageException
acquire: LockAcquiringException < LockStorageException
refresh: LockConflictedException
isAcquired: false
release: null
taken: LockAcquiringException < LockStorageException
acquire: LockAcquiringException < LockStorageException
refresh: LockConflictedException
isAcquired: false
release: LockReleasingException < LockStorageException
["Symfony\\Component\\Lock\\Exception\\LockAcquiringException < Symfony\\Component\\Lock\\Exception\\LockStorageException"]
