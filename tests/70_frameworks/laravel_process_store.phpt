--TEST--
Laravel: 'process' => true makes the locks of a store process-bound: of sessions, withoutOverlapping(), flexible(), funnel()
--EXTENSIONS--
mbstring
ctype
tokenizer
--SKIPIF--
<?php require __DIR__ . '/../inc/laravel.inc'; skip_unless_laravel(); ?>
--CONFLICTS--
all
--FILE--
<?php
require __DIR__ . '/../inc/laravel.inc';
require __DIR__ . '/../inc/timing.inc';

use Illuminate\Support\Facades\Cache;

$server = new Server(true);
$servers = [new Server(true), new Server(true), new Server(true)];
$redis = $server->client();
$laravel = new LaravelApp($server, <<<'CODE'
	$builder->withRouting(using: function () {
		Route::get('/{what}', function (string $what) {
			echo "$what\n";
			return fgets(STDIN);
		})->middleware(Illuminate\Session\Middleware\StartSession::class)->block(10, 5);
	});
	CODE);
$driver = ['driver' => 'redislock', 'connection' => 'default'];
$laravel->write('config/cache.php', '<?php return ' . var_export(['stores' => ['redislock' => $driver,
	'process' => ['process' => true, 'label' => 'shop', 'ttl' => 5] + $driver,
	'short' => ['process' => true, 'max_hold' => 0.05] + $driver,
	'quorum' => ['process' => true, 'servers' => array_map(fn ($server) => "tcp://127.0.0.1:$server->port?timeout=10&read_timeout=10", $servers)] + $driver,
	'failover' => ['driver' => 'failover', 'stores' => ['array', 'redislock']], 'array' => ['driver' => 'array'],
	'failing over' => ['driver' => 'failover', 'stores' => ['process', 'array']],
	'file' => ['driver' => 'file', 'path' => "$laravel->folder/storage/framework/cache"],
	]], true) . ';');
$laravel->write('config/session.php', "<?php return ['driver' => 'array', 'block_store' => 'process', 'cookie' => 'id', 'lottery' => [0, 1]];");
$app = $laravel->boot();
$prefix = config('database.redis.options.prefix') . config('cache.prefix');
$key = fn () => preg_grep('/:rlk:|session:|flexible:created|value/', $redis('KEYS', '*'), PREG_GREP_INVERT);

echo "-- a request that is killed leaves its session to the next one\n";
$session = $prefix . 'session:' . str_repeat('s', 40);
$request = fn (string $path) => $laravel->run('$request = Illuminate\Http\Request::create("/' . $path . '", "GET", [], ["id" => str_repeat("s", 40)]);' .
	'$app->make(Illuminate\Contracts\Http\Kernel::class)->handle($request);');
$began = fn (Php $request, string $what) => $request->await($what);
expect_within('session freed after', 0.05, function () use ($request, $redis, $session, $began) {
	$first = $request('first');
	$began($first, 'first');
	$first->signal(SIGKILL);
	$killed = hrtime(true) / 1e9;
	wait_until(fn () => !$redis('EXISTS', $session));
	return taken($killed);
}, 10);
$first = $request('first');
$began($first, 'first');
expect_between('ttl', $redis('PTTL', $session) / 1000, 1, 5);
$second = $request('second');
$holder = fn (string $name) => (new RedisLock(['port' => $server->port, 'prefix' => $prefix, 'name' => $name]))->holder();
wait_until(fn () => $holder('session:' . str_repeat('s', 40))['waited']);
$first->signal(SIGKILL);
$began($second, 'second');
$second->tell('go');
$second->end();
var_dump($redis('EXISTS', $session));

echo "-- and so do these\n";
$redis('SET', $prefix . 'v', 'i:1;');
$redis('SET', $prefix . 'illuminate:cache:flexible:created:v', '1');
foreach ([
	'withoutOverlapping' => '$cache->withoutOverlapping("name", $code);',
	'funnel' => '$cache->funnel("name")->limit(1)->releaseAfter(3600)->block(0)->then($code);',
	'flexible' => '$cache->flexible("v", [1, 3600], $code); app(Illuminate\Support\Defer\DeferredCallbackCollection::class)->invoke();',
	'lock' => '$cache->lock("name", 3600)->get($code);',
] as $what => $code) {
	$process = $laravel->run('$cache = Cache::store("process"); $code = function () { echo "in\n"; fgets(STDIN); };' . $code);
	$process->await('in');
	$locks = preg_grep('~name1?$|flexible:lock~', $redis('KEYS', '*'));
	$held = count($locks);
	$process->signal(SIGKILL);
	$process->end();
	echo "$what: $held, ", json_encode(comes_true(fn () => !$redis('EXISTS', reset($locks)))), "\n";
}

echo "-- what one process acquires for another one stays a lease\n";
/* It is known by who asks for it, so a name of the application's own makes no difference. */
echo $laravel->run(<<<'CODE'
	final class Job implements Illuminate\Contracts\Queue\ShouldBeUnique {
		public $uniqueFor = 3600;
		public function __construct(public string $uniqueId, public string $store) {}
		public function uniqueVia() { return Cache::store($this->store); }
	}
	$now = new DateTime("12:34");
	$schedule = app(Illuminate\Console\Scheduling\Schedule::class)->useCache("process");
	$event = $schedule->exec("true")->everyMinute()->createMutexNameUsing("report")->withoutOverlapping(60)->runInBackground();
	$unique = new Illuminate\Bus\UniqueLock(Cache::store());
	$store = Cache::store("process");
	echo json_encode([$unique->acquire(new Job("a", "process")), $unique->acquire(new Job("b", "failing over")), $event->mutex->create($event),
		$event->mutex->exists($event), $schedule->serverShouldRun($event, $now),
		$store->getStore()->lease("a", 3600)->get(), $store->lock("laravel_unique_job:a", 3600)->get(), $store->lock("framework/schedule-a", 3600)->get()]), "\n";
	CODE)->rest();
foreach (['laravel_unique_job:Job:a', 'laravel_unique_job:Job:b', 'report', 'report1234', 'a'] as $name) {
	expect_between($name, $redis('TTL', $prefix . $name), 3500, 3600);
}
echo json_encode($redis('EXISTS', $prefix . 'laravel_unique_job:a', $prefix . 'framework/schedule-a')), "\n";
/* As Laravel 13 does it where the model of a job is gone: this process is not the one that has acquired the lock. */
$handler = new class extends Illuminate\Queue\CallQueuedHandler {
	public function __construct()
	{
	}

	public function ensureUniqueJobLockIsReleasedViaContext()
	{
		return Cache::store('process')->restoreLock('handed on', 'owner')->release();
	}
};
$laravel->run('Cache::store("process")->getStore()->lease("handed on", 3600, "owner")->get();')->end();
echo json_encode([$handler->ensureUniqueJobLockIsReleasedViaContext(), $redis('EXISTS', $prefix . 'handed on')]), "\n";
$store = Cache::store('process')->getStore();
$lock = $store->lock('b', 1);
echo json_encode([$lock->get(), $store->restoreLock('b', 'other')->release(), $store->restoreLock('b', $lock->owner())->release(),
	$lock->release()]), "\n";

echo "-- options of the store\n";
$lock->get();
var_dump($holder('b')['label']);
$lock->release();
try {
	Cache::store('short')->lock('short', 60)->get(fn () => pause(10, 'until the loss is told'));
} catch (RedisLock\LockLostException $e) {
	echo $e->getMessage(), "\n";
}
$one = Cache::store('process')->processLock('most');
echo json_encode([$one->get(), Cache::store('quorum')->processLock('most')->forceRelease(), $redis('EXISTS', $prefix . 'most'), $one->release()]), "\n";
$servers[0]->kill();
$held = fn () => array_sum(array_map(fn ($server) => $server->client()('EXISTS', $prefix . 'most'), array_slice($servers, 1)));
var_dump(Cache::store('quorum')->lock('most', 60)->get($held), $held());
echo "-- what cannot be flushed is not said to be\n";
config(['cache.stores.apart' => ['driver' => 'redislock', 'connection' => 'cache', 'lock_connection' => 'default', 'servers' => config('cache.stores.quorum.servers')]]);
$apart = Cache::store('apart')->getStore();
$held = Cache::store('apart')->lock('flushed', 60);
try {
	echo json_encode([$held->get(), $apart->hasSeparateLockStore()]), "\n";
	$apart->flushLocks();
} catch (BadMethodCallException $e) {
	echo $e->getMessage(), ' ', json_encode($held->isOwnedByCurrentProcess()), "\n";
}

echo "-- every store has process-bound locks\n";
foreach (['redislock', 'failover', 'file', 'array'] as $name) {
	$lock = Cache::store($name)->processLock('every');
	echo $name, ' ', get_class($lock), ' ', json_encode([$lock->get(), $redis('EXISTS', $prefix . 'every'), $lock->release()]), "\n";
}
$lock = Cache::memo()->processLock('every');
echo get_class($lock), "\n";

echo "-- a number for every acquisition\n";
$lock = Cache::store('redislock')->processLock('fenced');
echo json_encode([$lock->withFence()->get(), $lock->fence(), $lock->release(), $lock->fence(), $lock->get(), $lock->fence(), $lock->release()]), "\n";
$lock = Cache::store('redislock')->processLock('fenced');
echo json_encode([$lock->get(), $lock->fence(), $lock->release()]), "\n";
?>
--EXPECT--
-- a request that is killed leaves its session to the next one
session freed after: ok
ttl: ok
int(0)
-- and so do these
withoutOverlapping: 1, true
funnel: 1, true
flexible: 1, true
lock: 1, true
-- what one process acquires for another one stays a lease
[true,true,true,true,true,true,true,true]
laravel_unique_job:Job:a: ok
laravel_unique_job:Job:b: ok
report: ok
report1234: ok
a: ok
0
[true,0]
[true,false,true,false]
-- options of the store
string(4) "shop"
lock "short" was lost: max_hold is over
[true,null,1,true]
int(2)
int(0)
-- what cannot be flushed is not said to be
[true,false]
The locks of this store are on several servers ("servers"), and cannot be flushed: "redislock:list" says which there are, and "redislock:release" ends one. true
-- every store has process-bound locks
redislock RedisLock\Laravel\ProcessLock [true,1,true]
failover RedisLock\Laravel\ProcessLock [true,1,true]
file RedisLock\Laravel\ProcessLock [true,1,true]
array RedisLock\Laravel\MemoryLock [true,0,true]
RedisLock\Laravel\ProcessLock
-- a number for every acquisition
[true,1,true,null,true,2,true]
[true,null,true]
