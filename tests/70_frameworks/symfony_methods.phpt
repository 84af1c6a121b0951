--TEST--
Symfony: our stores have every public method of Symfony's own but that of shared locks, which are taken as plain ones
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
	echo json_encode([$reader->acquireRead(), $other->acquireRead(), $reader->isAcquired(), $reader->release()]), "\n";
}
--EXPECT--
RedisLock\Symfony\RedisLockStore lacks ["saveRead"]
[true,false,true,null]
RedisLock\Symfony\ProcessLockStore lacks ["saveRead"]
[true,false,true,null]
