--TEST--
Symfony: our stores have every public method of Symfony's own, that of shared locks included
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_vendor(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require vendor_autoload();

$server = new Server;
$methods = fn (string $class) => array_map(fn ($method) => $method->name, (new ReflectionClass($class))->getMethods(ReflectionMethod::IS_PUBLIC));
foreach ([RedisLock\Symfony\RedisLockStore::class, RedisLock\Symfony\ProcessLockStore::class] as $ours) {
	echo $ours, ' lacks ', json_encode(array_values(array_diff($methods(Symfony\Component\Lock\Store\RedisStore::class), $methods($ours)))), "\n";
	$factory = new Symfony\Component\Lock\LockFactory(new $ours($server->options()));
	[$reader, $other] = [$factory->createLock('a'), $factory->createLock('a')];
	echo json_encode([$reader->acquireRead(), $other->acquireRead(), $reader->isAcquired(), $reader->release(), $other->release()]), "\n";
}
--EXPECT--
RedisLock\Symfony\RedisLockStore lacks []
[true,true,true,null,null]
RedisLock\Symfony\ProcessLockStore lacks []
[true,true,true,null,null]
