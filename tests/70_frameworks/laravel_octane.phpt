--TEST--
Laravel: under Octane locks end with the request, task or tick that has acquired them, and the log says which they were
--EXTENSIONS--
mbstring
ctype
tokenizer
--SKIPIF--
<?php require __DIR__ . '/../inc/laravel.inc'; skip_unless_laravel(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/laravel.inc';
require __DIR__ . '/../inc/octane.inc';

use Illuminate\Http\Request;
use Illuminate\Support\Facades\Event;
use Laravel\Octane\Events;

final class Kept
{
	public static array $locks = [];

	public static function take(string $name): string
	{
		$lock = new RedisLock(['unix_socket' => getenv('SOCKET'), 'name' => $name, 'renew' => true]);
		self::$locks[] = $lock;
		return $lock->acquire() ? "$name taken" : "$name refused";
	}
}

$server = new Server(true);
$redis = $server->client();
putenv("SOCKET=$server->socket");
$laravel = new LaravelApp($server, <<<'CODE'
	$builder->withProviders([Laravel\Octane\OctaneServiceProvider::class])->withRouting(using: function () {
		Route::get('/kept/{name}', fn (string $name) => Kept::take($name));
		Route::get('/process', fn () => Cache::processLock('process')->get() ? 'process taken' : 'process refused');
		Route::get('/lease', fn () => Cache::lock('lease', 60)->get() ? 'lease taken' : 'lease refused');
		/* Objects that are kept, with a connection each: those of the worker, of no request but the last. */
		Route::get('/objects', fn () => 'objects: ' . count((new ReflectionProperty(RedisLock\Laravel\ProcessLock::class, 'held'))->getValue()));
		Route::get('/released', fn () => Cache::processLock('released')->get(fn () => 'released'));
	});
	$builder->booted(fn () => Event::listen(Laravel\Octane\Events\WorkerStarting::class, fn () => Kept::take('worker')));
	CODE);
/* Octane's own listeners but for those that are about databases, which not every PHP has. */
$prepare = [];
foreach (['CreateConfigurationSandbox', ...array_map(fn ($to) => "GiveNewApplicationInstanceTo$to", ['HttpKernel', 'CacheManager',
	'Router']), 'FlushLogContext', 'FlushArrayCache', 'FlushMonologState'] as $listener) {
	$prepare[] = "Laravel\\Octane\\Listeners\\$listener";
}
$laravel->write('config/octane.php', '<?php return ' . var_export(['warm' => ['cache', 'config', 'log', 'router'], 'listeners' =>
	array_fill_keys([Events\RequestReceived::class, Events\TaskReceived::class, Events\TickReceived::class], $prepare)], true) . ';');
$worker = new Laravel\Octane\Worker(new Laravel\Octane\ApplicationFactory($laravel->folder), $client = new OctaneClient);
$worker->boot();
$keys = function () use ($redis): string {
	$keys = preg_replace('/^.*[-:_]/', '', $redis('KEYS', '*'));
	sort($keys);
	return implode(' ', $keys);
};
$logged = function () use ($laravel): string {
	static $seen = 0;
	preg_match_all('/^\[[^]]*\] \w+\.(.*)$/m', substr($laravel->log(), $seen), $lines);
	$seen = strlen($laravel->log());
	return implode('', array_map(fn ($line) => "\n\t" . rtrim($line), $lines[1]));
};
$tell = fn (string $what) => print "$what; held: {$keys()}{$logged()}\n";
$serve = function (string $path) use ($worker, $client, $tell): void {
	$worker->handle(Request::create("/$path"), new Laravel\Octane\RequestContext);
	$tell($client->said);
};

foreach (['released', 'kept/a', 'kept/a', 'process', 'process', 'lease', 'objects'] as $path) {
	$serve($path);
}
echo "-- a client that is gone\n";
$client->broken = true;
$serve('kept/b');

echo "-- tasks and ticks\n";
$worker->handleTask(fn () => Kept::take('task'));
$tell('task');
$worker->handleTask(function () {
	Kept::take('task');
	throw new RuntimeException('the task failed');
});
$tell('failed task');
Event::listen(Events\TickReceived::class, fn () => Kept::take('tick'));
$worker->handleTick();
$tell('tick');
var_dump(Kept::$locks[0]->isHeld());
?>
--EXPECT--
released; held: worker
a taken; held: worker
	NOTICE: A request left the lock "a" behind. It has ended with the request. {"locks":["a"]}
a taken; held: worker
	NOTICE: A request left the lock "a" behind. It has ended with the request. {"locks":["a"]}
process taken; held: worker
	NOTICE: A request left the lock "process" behind. It has ended with the request. {"locks":["process"]}
process taken; held: worker
	NOTICE: A request left the lock "process" behind. It has ended with the request. {"locks":["process"]}
lease taken; held: lease worker
objects: 1; held: lease worker
-- a client that is gone
nobody listens; held: lease worker
	NOTICE: A request left the lock "b" behind. It has ended with the request. {"locks":["b"]}
-- tasks and ticks
task; held: lease worker
	NOTICE: A request left the lock "task" behind. It has ended with the request. {"locks":["task"]}
failed task; held: lease worker
	NOTICE: A request left the lock "task" behind. It has ended with the request. {"locks":["task"]}
tick; held: lease worker
	NOTICE: A request left the lock "tick" behind. It has ended with the request. {"locks":["tick"]}
bool(true)
