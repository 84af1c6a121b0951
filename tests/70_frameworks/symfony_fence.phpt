--TEST--
Symfony: the key of a lock has its fencing number, which grows with every acquisition and travels with the key
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_vendor(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require vendor_autoload();

use RedisLock\Symfony\Fence;
use RedisLock\Symfony\TtlLockFactory;
use RedisLock\Symfony\ProcessLockStore;
use RedisLock\Symfony\RedisLockStore;
use Symfony\Component\Lock\Key;

$server = new Server;
$redis = $server->client();
foreach ([new RedisLockStore($server->options(), 300.0, true), new ProcessLockStore($server->options(['on_lost' => 'flag']), true)] as $store) {
	$factory = new TtlLockFactory($store);
	$key = new Key('invoice');
	$lock = $factory->createLockFromKey($key, 30);
	$other = new Key('invoice');
	$said = [Fence::of($key), $lock->acquire(), $first = Fence::of($key), $lock->acquire(), Fence::of($key) - $first, $lock->refresh(20),
		Fence::of($key) - $first, $factory->createLockFromKey($other)->acquire(), Fence::of($other), $lock->release(), Fence::of($key)];
	$_ = $lock->acquire(true);
	$redis('DEL', 'invoice');
	$stolen = $factory->createLockFromKey($other, 30);
	echo json_encode([...$said, Fence::of($key) - $first, $stolen->acquire(), Fence::of($other) - $first]), "\n";
	if ($store instanceof RedisLockStore) {
		$copy = unserialize(serialize($other));
		echo Fence::of($copy) - $first, json_encode($factory->createLockFromKey($copy, 30)->isAcquired()), "\n";
	}
	$stolen->release();
	unset($lock, $store, $factory);
}
$plain = new Key('plain');
(new TtlLockFactory(new RedisLockStore($server->options())))->createLockFromKey($plain)->acquire();
var_dump(Fence::of($plain));
try {
	new RedisLockStore(['servers' => ['tcp://a', 'tcp://b', 'tcp://c']], 300.0, true);
} catch (ValueError $e) {
	echo $e->getMessage(), "\n";
}
?>
--EXPECTF--
[null,true,1,true,0,null,0,false,null,null,null,1,true,2]
2true
[null,true,4,true,0,null,0,false,null,null,null,1,true,2]
NULL
RedisLock::__construct(): %s
