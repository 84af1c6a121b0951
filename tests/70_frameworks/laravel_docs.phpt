--TEST--
docs/guide/laravel.md: the samples run in an application
--SKIPIF--
<?php require __DIR__ . '/../inc/laravel.inc'; skip_unless_laravel('dom'); ?>
--FILE--
<?php
require __DIR__ . '/../inc/laravel.inc';
require __DIR__ . '/../inc/docs.inc';

$server = new Server(true);
$laravel = new LaravelApp($server, '$builder->withCommands([__DIR__ . "/../routes/console.php"]);');
preg_match_all('~^```php\n(.*?)^```~ms', page('docs/guide/laravel.md'), $found);
[$cache, $stores, $locks, $fence, $console, $isolated, $job, $import, $session, $testing] = array_map(fn ($code) => "<?php\n$code", $found[1]);
echo count($found[1]), " samples\n";
mkdir("$laravel->folder/routes");
$laravel->write('routes/console.php', "<?php\n");
$run = fn (string $code) => print $laravel->run($code)->rest();

echo "-- config/cache.php\n";
$laravel->write('config/cache.php', $cache);
$run(<<<'CODE'
	use Illuminate\Support\Facades\Cache;
	echo get_class(Cache::lock('a', 30)), "\n";
	var_dump(Cache::lock('a', 30)->get(), Cache::lock('a', 30)->get(), Cache::processLock('b')->get(fn () => 'done'));
	CODE);
$laravel->write('config/cache.php', $stores);
$run(<<<'CODE'
	use Illuminate\Support\Facades\Cache;
	echo get_class(Cache::lock('a', 30)), ' ', get_class(Cache::store('process')->lock('a', 30)), "\n";
	$code = fn () => 'done';
	echo json_encode([Cache::store('process')->withoutOverlapping('report', $code), Cache::store('process')->funnel('api')->limit(3)->then($code),
		Cache::store('process')->flexible('prices', [5, 10], $code), Cache::store('process')->getStore()->lease('batch', 300)->get()]), "\n";
	CODE);

echo "-- locks\n";
$laravel->write('code.php', $locks);
$run('foreach (["pay", "writeReport", "import"] as $name) { eval("function $name() { echo \"$name\n\"; }"); } require "code.php";');
$laravel->write('code.php', $fence);
$run('function store($fence) { var_dump($fence); } require "code.php";');

echo "-- the scheduler\n";
$laravel->write('routes/console.php', $console);
putenv('REDISLOCK_SCHEDULER=true');
$run('foreach ($app->make(Illuminate\Console\Scheduling\Schedule::class)->events() as $event) { echo get_class($event->mutex), "\n"; }');

$laravel->write('code.php', $isolated);
$run('require "code.php"; $mutex = $app->make(Illuminate\Console\CacheCommandMutex::class); var_dump($mutex->store);');

echo "-- a job\n";
$laravel->write('job.php', $job);
$laravel->write('recalculate.php', '<?php namespace App\Jobs; function recalculate(int $user) { echo "user $user\n"; }');
$run('require "recalculate.php"; require "job.php"; dispatch_sync(new App\Jobs\RecalculateBalance(7));');

$laravel->write('job.php', $import);
$laravel->write('import.php', '<?php namespace App\Jobs; function import() { echo "imports\n"; }');
$run('require "import.php"; require "job.php"; dispatch_sync(new App\Jobs\ImportFeed);');

echo "-- sessions and tests\n";
$laravel->write('config/session.php', $session);
$laravel->write('code.php', $testing);
$run('echo $app->make(Illuminate\Session\SessionManager::class)->blockDriver(), "\n";');
putenv('CACHE_STORE=array');
$laravel->write('config/cache.php', "<?php return ['stores' => ['array' => ['driver' => 'array']]];");
$run('require "code.php"; echo "tested\n";');

echo "-- the settings that can be published\n";
$laravel->artisan('vendor:publish', '--tag=redislock-config')->rest();
$published = file_get_contents("$laravel->folder/config/redislock.php");
var_dump($published === file_get_contents(dirname(__DIR__, 2) . '/packages/laravel/config/redislock.php'));
preg_match_all('/^\t+\'(\w+)\'/m', str_replace("'locks' =>", '', $published), $options);
foreach ($options[1] as $option) {
	echo preg_match("/`(locks\.)?$option`/", page('docs/guide/laravel.md')) ? '' : "$option is not on the page\n";
}
?>
--EXPECT--
10 samples
-- config/cache.php
RedisLock\Laravel\Lock
bool(true)
bool(false)
string(4) "done"
RedisLock\Laravel\Lock RedisLock\Laravel\ProcessLock
["done","done","done",true]
-- locks
pay
writeReport
import
int(1)
-- the scheduler
RedisLock\Laravel\ProcessEventMutex
RedisLock\Laravel\ProcessEventMutex
string(7) "process"
-- a job
user 7
imports
-- sessions and tests
process
tested
-- the settings that can be published
bool(true)
