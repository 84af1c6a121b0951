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
$code = code_of(__DIR__ . '/laravel_tenants_app.inc');
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
