--TEST--
Adapters and redislock: an empty server, as from a variable that is not set, is refused; the default server is never used instead
--EXTENSIONS--
pcntl
mbstring
ctype
tokenizer
--SKIPIF--
<?php require __DIR__ . '/../inc/console.inc'; skip_unless_console(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/console.inc';
require_once __DIR__ . '/../inc/outcome.inc';
require vendor_autoload();
foreach (['drupal', 'hyperf', 'magento', 'php-lock', 'yii3'] as $framework) {
	load_framework($framework);
}

use RedisLock\Symfony\StoreFactory;

$classes = [RedisLock\LockFactory::class, RedisLock\Symfony\RedisLockStore::class, RedisLock\Symfony\ProcessLockStore::class,
	RedisLock\Symfony\RedisSemaphoreStore::class, RedisLock\Symfony\ProcessSemaphoreStore::class, RedisLock\Drupal\LockBackend::class,
	RedisLock\Drupal\PersistentLockBackend::class, RedisLock\Magento\LockManager::class, RedisLock\Yii3\MutexFactory::class,
	RedisLock\Hyperf\TaskMutex::class, RedisLock\Hyperf\ServerMutex::class];
$made = array_combine($classes, array_map(fn (string $class) => fn (string $server) => new $class($server), $classes)) + [
	RedisLock\PhpLock\RedisLockMutex::class => fn (string $server) => new RedisLock\PhpLock\RedisLockMutex('packages_empty_server', $server),
	'the bundle, leases' => fn (string $server) => StoreFactory::store(StoreFactory::options($server, []), false, 1.0, false, new Symfony\Component\Lock\Store\InMemoryStore()),
	'the bundle, process-bound' => fn (string $server) => StoreFactory::store(StoreFactory::options($server, []), true, 1.0, false, new Symfony\Component\Lock\Store\InMemoryStore()),
	'the bundle, LockFactory' => fn (string $server) => StoreFactory::locks(StoreFactory::options($server, [])),
	'the bundle, commands' => fn (string $server) => StoreFactory::options($server, []),
];
foreach ($made as $what => $make) {
	$said = outcome(fn () => get_class($make('')));
	echo $what, ': ', $said === ($first ??= $said) ? 'refused' : $said, "\n";
}
echo $first, "\n";

echo "-- Laravel: a connection whose only address is empty\n";
$connection = fn (mixed $config) => RedisLock\Options::ofLaravel(['default' => $config], 'default');
foreach (['' , ['url' => ''], ['url' => '', 'password' => 'x'], ['host' => ''], ['url' => '', 'host' => 'redis'], ['url' => null, 'host' => 'redis'],
	['url' => '', 'path' => '/run/redis.sock', 'scheme' => 'unix']] as $config) {
	echo json_encode($config), ': ', outcome(fn () => json_encode(['prefix' => 'the server is named'] + $connection($config)) . (string) new RedisLock($connection($config))), "\n";
}

echo "-- redislock\n";
$server = new Server(true);
$run = function (string ...$words): void {
	$run = new Run([...redislock_command("redislock.server=tcp://127.0.0.1:{$GLOBALS['server']->port}"), ...$words]);
	$run->hangUp();
	echo "\t", $run->end(), ' ', str_contains($run->err, 'never used instead') ? "refused\n" : $run->out . $run->err;
};
foreach ([null, '', ' ', "unix:$server->socket"] as $variable) {
	putenv('REDISLOCK_SERVER' . ($variable === null ? '' : "=$variable"));
	echo 'REDISLOCK_SERVER ', $variable === "unix:$server->socket" ? 'is right' : json_encode($variable), "\n";
	foreach ([[], ['--server='], ['--server=tcp://127.0.0.1:1', '--server=']] as $words) {
		echo implode(' ', $words), "\n";
		$run('show', 'packages_empty_server', ...$words);
		$run('run', '--name=empty_server', ...[...$words, '--', 'echo', 'runs']);
	}
}
?>
--EXPECT--
RedisLock\LockFactory: refused
RedisLock\Symfony\RedisLockStore: refused
RedisLock\Symfony\ProcessLockStore: refused
RedisLock\Symfony\RedisSemaphoreStore: refused
RedisLock\Symfony\ProcessSemaphoreStore: refused
RedisLock\Drupal\LockBackend: refused
RedisLock\Drupal\PersistentLockBackend: refused
RedisLock\Magento\LockManager: refused
RedisLock\Yii3\MutexFactory: refused
RedisLock\Hyperf\TaskMutex: refused
RedisLock\Hyperf\ServerMutex: refused
RedisLock\PhpLock\RedisLockMutex: refused
the bundle, leases: refused
the bundle, process-bound: refused
the bundle, LockFactory: refused
the bundle, commands: refused
ValueError: the URI must name a server, and names none; the default server is never used instead
-- Laravel: a connection whose only address is empty
"": ValueError: option "url" must name a server, and names none; the default server is never used instead
{"url":""}: ValueError: option "url" must name a server, and names none; the default server is never used instead
{"url":"","password":"x"}: ValueError: option "url" must name a server, and names none; the default server is never used instead
{"host":""}: ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "host" must name a server, and names none; the default server is never used instead
{"url":"","host":"redis"}: '{"prefix":"the server is named","host":"redis"}[60]'
{"url":null,"host":"redis"}: '{"prefix":"the server is named","host":"redis"}[60]'
{"url":"","path":"\/run\/redis.sock","scheme":"unix"}: '{"prefix":"the server is named","path":"\\/run\\/redis.sock","scheme":"unix"}[60]'
-- redislock
REDISLOCK_SERVER null

	1 Nobody holds packages_empty_server.
	0 runs
--server=
	64 refused
	64 refused
--server=tcp://127.0.0.1:1 --server=
	64 refused
	64 refused
REDISLOCK_SERVER ""

	64 refused
	64 refused
--server=
	64 refused
	64 refused
--server=tcp://127.0.0.1:1 --server=
	64 refused
	64 refused
REDISLOCK_SERVER " "

	64 refused
	64 refused
--server=
	64 refused
	64 refused
--server=tcp://127.0.0.1:1 --server=
	64 refused
	64 refused
REDISLOCK_SERVER is right

	1 Nobody holds packages_empty_server.
	0 runs
--server=
	64 refused
	64 refused
--server=tcp://127.0.0.1:1 --server=
	64 refused
	64 refused
