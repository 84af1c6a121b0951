--TEST--
Laravel: the tests of an application whose cache is in memory need neither the extension nor a server
--EXTENSIONS--
mbstring
ctype
tokenizer
--SKIPIF--
<?php require __DIR__ . '/../inc/laravel.inc'; skip_unless_laravel(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/laravel.inc';

/* A port where nobody listens. */
$server = new Server(true);
$laravel = new LaravelApp($server, <<<'CODE'
	$builder->withRouting(using: function () {
		Route::get('/', fn () => Cache::processLock('report')->get(fn () => 'reported') ?: 'somebody else reports');
	});
	CODE);
$laravel->write('config/cache.php', '<?php return ' . var_export(['stores' => [
	'array' => ['driver' => 'array'], 'null' => ['driver' => 'null'], 'failover' => ['driver' => 'failover', 'stores' => ['redislock', 'array']],
	'redislock' => ['driver' => 'redislock', 'connection' => 'default'], 'file' => ['driver' => 'file', 'path' => "$laravel->folder/storage/framework/cache"],
	]], true) . ';');
$laravel->write('test.php', '<?php require ' . var_export(dirname(__DIR__) . '/inc/laravel_process.inc', true) . ';' . code_of(__DIR__ . '/laravel_memory_test.inc'));
putenv('APP_ENV=testing');
putenv('CACHE_STORE=array');
putenv('QUEUE_CONNECTION=sync');
putenv('REDISLOCK_SCHEDULER=true');
$server->kill();
$php = implode(' ', array_map(escapeshellarg(...), Php::command()));
foreach (load(...LARAVEL_EXTENSIONS) as $setting) {
	$php .= ' -d ' . escapeshellarg($setting);
}
$without = preg_replace("~'-d' '\S*/redislock\.so'~", '', $php);
echo $said = shell_exec("$without $laravel->folder/test.php 2>&1");
echo "-- with the extension, but no server\n";
var_dump(shell_exec("$php $laravel->folder/test.php 2>&1") === preg_replace('/false/', 'true', $said, 1));
echo "-- not in a test, a store has the locks that its name says\n";
putenv('APP_ENV=local');
$laravel->write('code.php', '<?php require ' . var_export(dirname(__DIR__) . '/inc/laravel_process.inc', true) . '; chdir(__DIR__);' . <<<'CODE'
	$app = require "bootstrap/app.php";
	$app->make(Illuminate\Contracts\Console\Kernel::class)->bootstrap();
	foreach (['lock', 'processLock'] as $method) {
		try {
			Illuminate\Support\Facades\Cache::store('redislock')->$method('a', 5)->get();
		} catch (Throwable $e) {
			echo get_class($e), ': ', rtrim(strtok($e->getMessage(), ',(')), "\n";
		}
	}
	CODE);
echo $said = shell_exec("$without $laravel->folder/code.php 2>&1");
echo "-- nor in a test of an application that says so\n";
putenv('APP_ENV=testing');
putenv('REDISLOCK_MEMORY_IN_TESTS=false');
var_dump(shell_exec("$without $laravel->folder/code.php 2>&1") === $said);
?>
--EXPECT--
[false]
-- a page
["reported",true,"somebody else reports",null,"reported"]
-- a process-bound lock
[true,true,false,false,false,true,false,true,false,false]
[true,null,false,true,1,true,null,true,2,true]
Illuminate\Contracts\Cache\LockTimeoutException, at once
[true]
[true]
-- the middleware
the job runs, false
the job runs, false
lock "laravel-queue-overlap:key" was lost: its key was deleted or has another owner
-- stores by name
["redislock",true,false]
["failover",false,false]
["null",true,false]
["array",false,false]
["file",false,false]
This cache store has no process-bound locks, and config/cache.php has no store "missing" with the driver "redislock" for them.
["memo",false]
[true,false]
-- the scheduler
["RedisLock\\Laravel\\ProcessEventMutex"]
["scheduled"]
[false]
-- with the extension, but no server
bool(true)
-- not in a test, a store has the locks that its name says
RedisLock\ConnectionException: lock "a": cannot connect: Connection refused
LogicException: option "renew" needs the PHP extension redislock
-- nor in a test of an application that says so
bool(true)
