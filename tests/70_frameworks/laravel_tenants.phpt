--TEST--
Laravel: locks have the prefix that the connection has at that moment, as Laravel's own do
--EXTENSIONS--
mbstring
ctype
tokenizer
--SKIPIF--
<?php require __DIR__ . '/../inc/laravel.inc'; skip_unless_laravel('igbinary', 'redis'); ?>
--FILE--
<?php
require __DIR__ . '/../inc/laravel.inc';

$server = new Server(true);
$laravel = new LaravelApp($server);
$code = <<<'CODE'
	use Illuminate\Support\Facades\{Cache, Redis};
	/* What stancl/tenancy does; with Predis there is another call for it. */
	function tenant(string $prefix): void {
		$client = Redis::connection('default')->client();
		$client instanceof \Redis ? $client->setOption($client::OPT_PREFIX, $prefix) : $client->getOptions()->prefix->setPrefix($prefix);
	}
	$redis = new Client('unix://' . getenv('SOCKET'));
	$keys = function () use ($redis): string {
		$keys = preg_grep('/:rlk:/', $redis('KEYS', '*'), PREG_GREP_INVERT);
		sort($keys);
		return implode(' ', $keys);
	};
	$stock = Cache::store('redis')->getStore()->setLockConnection('default');
	$ours = Cache::store('redislock')->getStore();
	echo get_debug_type($stock->lock('a')), "\n";
	$try = fn () => json_encode([$stock->lock('a', 60)->get(), $ours->lock('a', 60)->get(), $ours->processLock('a')->get()]);
	$object = $ours->lock('early', 60);

	$ours->lock('none', 60)->get(fn () => print("no connection: {$keys()}\n"));
	$owners = [];
	foreach (['t1:', 't2:', ''] as $tenant) {
		tenant($tenant);
		echo $try(), "\n";
		$owners[$tenant] = $ours->processLock('b', 0, 'same');
		var_dump($owners[$tenant]->get());
	}
	echo $keys(), "\n";

	/* An object made before takes the lock where Laravel's would, and frees what it has taken, wherever that is. */
	tenant('t1:');
	var_dump($object->get());
	tenant('t2:');
	echo json_encode([$stock->restoreLock('early', $object->owner())->release(), $object->isOwnedByCurrentProcess(), $object->refresh(30),
		$object->release(), $object->get(), $stock->restoreLock('early', $object->owner())->release()]), "\n";
	/* Whoever only knows the owner means the tenant of now. */
	foreach (['t1:', 't2:'] as $tenant) {
		tenant($tenant);
		echo json_encode([$ours->processLock('b', 0, 'same')->refresh(), $ours->processLock('b', 0, 'same')->release()]), "\n";
	}
	var_dump($owners['']->release());
	echo $keys(), "\n";
	array_map(fn ($key) => $redis('DEL', $key), explode(' ', $keys()));
	CODE;
putenv("SOCKET=$server->socket");
foreach (['predis', 'phpredis'] as $client) {
	echo "-- $client\n";
	putenv("REDIS_CLIENT=$client");
	$process = new Php('require ' . var_export(dirname(__DIR__) . '/inc/laravel.inc', true) . '; chdir(' .
		var_export($laravel->folder, true) . '); $app = require "bootstrap/app.php"; ' .
		'$app->make(Illuminate\Contracts\Console\Kernel::class)->bootstrap(); ' . $code, [], [...load('igbinary', 'redis', ...LARAVEL_EXTENSIONS),
		'auto_prepend_file=' . dirname(__DIR__) . '/inc/laravel_process.inc']);
	echo $process->rest();
}
?>
--EXPECT--
-- predis
Illuminate\Cache\RedisLock
no connection: app_database_app_cache_none
[true,false,false]
bool(true)
[true,false,false]
bool(true)
[true,false,false]
bool(true)
app_cache_a app_cache_b t1:app_cache_a t1:app_cache_b t2:app_cache_a t2:app_cache_b
bool(true)
[false,true,true,true,true,true]
[true,true]
[true,true]
bool(true)
app_cache_a t1:app_cache_a t2:app_cache_a
-- phpredis
Illuminate\Cache\PhpRedisLock
no connection: app_database_app_cache_none
[true,false,false]
bool(true)
[true,false,false]
bool(true)
[true,false,false]
bool(true)
app_cache_a app_cache_b t1:app_cache_a t1:app_cache_b t2:app_cache_a t2:app_cache_b
bool(true)
[false,true,true,true,true,true]
[true,true]
[true,true]
bool(true)
app_cache_a t1:app_cache_a t2:app_cache_a
