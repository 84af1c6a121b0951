--TEST--
Laravel: locks of the store have every public method of Laravel's own, and name the same connection
--EXTENSIONS--
mbstring
ctype
tokenizer
--SKIPIF--
<?php require __DIR__ . '/../inc/laravel.inc'; skip_unless_laravel(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/laravel.inc';

use Illuminate\Support\Facades\Cache;

$app = (new LaravelApp(new Server(true)))->boot();
$methods = fn (string $class) => array_map(fn ($method) => $method->name, (new ReflectionClass($class))->getMethods(ReflectionMethod::IS_PUBLIC));
foreach ([
	[Illuminate\Cache\RedisLock::class, RedisLock\Laravel\Lock::class],
	[Illuminate\Cache\PhpRedisLock::class, RedisLock\Laravel\Lock::class],
	[Illuminate\Cache\RedisLock::class, RedisLock\Laravel\ProcessLock::class],
	[Illuminate\Cache\RedisStore::class, RedisLock\Laravel\RedisLockStore::class],
] as [$stock, $ours]) {
	echo $ours, ' lacks ', json_encode(array_values(array_diff($methods($stock), $methods($ours)))), "\n";
}

$store = Cache::store('redislock')->getStore();
foreach (['default', 'cache'] as $name) {
	$store->setLockConnection($name);
	$locks = [$store->lock('a'), $store->restoreLock('a', 'me'), $store->processLock('a')];
	echo json_encode(array_map(fn ($lock) => $lock->getConnectionName(), $locks)), "\n";
}
--EXPECT--
RedisLock\Laravel\Lock lacks []
RedisLock\Laravel\Lock lacks []
RedisLock\Laravel\ProcessLock lacks []
RedisLock\Laravel\RedisLockStore lacks []
["default","default","default"]
["cache","cache","cache"]
