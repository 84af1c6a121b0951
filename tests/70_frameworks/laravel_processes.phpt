--TEST--
Laravel: waiters of other processes are woken, and hosts with Laravel's own store share the locks
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
$redis = $server->client();
$laravel = new LaravelApp($server);
$app = $laravel->boot();
$waiter = <<<'CODE'
	use Illuminate\Support\Facades\Cache;
	[, $store, $name] = $argv;
	echo "ready\n";
	while (fgets(STDIN)) {
		$lock = Cache::store($store)->lock($name, 30);
		echo "waits\n";
		$lock->block(10);
		echo hrtime(true), " {$lock->owner()}\n";
	}
	CODE;

/* Ours waits for ours: woken at once. Released by the owner's name, from here. */
$process = $laravel->run($waiter, 'redislock', 'job');
$process->await('ready');
expect_within('woken after', 0.02, function () use ($process, $redis) {
	$held = Cache::lock('job', 30);
	$held->get();
	$process->tell('go');
	$process->await('waits');
	wait_until(fn () => str_contains($redis('INFO', 'clients'), 'blocked_clients:1'));
	$started = hrtime(true);
	Cache::restoreLock('job', $held->owner())->release();
	[$at, $owner] = explode(' ', $process->line());
	if (!Cache::restoreLock('job', $owner)->release()) {
		echo "the waiter does not have it\n";
	}
	return taken($started / 1e9, $at / 1e9);
});

/* Ours waits for Laravel's, which wakes nobody; Laravel's for ours; each released by the other's store. */
foreach (['redislock' => 'redis', 'redis' => 'redislock'] as $waits => $holds) {
	$process = $laravel->run($waiter, $waits, 'mixed');
	$process->await('ready');
	$held = Cache::store($holds)->lock('mixed', 30);
	var_dump($held->get(), Cache::store($waits)->lock('mixed', 30)->get());
	$process->tell('go');
	$process->await('waits');
	$started = hrtime(true);
	var_dump(Cache::store($waits)->restoreLock('mixed', $held->owner())->release());
	[$at, $owner] = explode(' ', $process->line());
	expect_between("$waits after $holds", ((int) $at - $started) / 1e9, 0, 2);
	var_dump(Cache::store($holds)->restoreLock('mixed', $owner)->release());
}

/* A lease belongs to whoever knows its owner, a forked copy of this process included. */
$held = Cache::lock('forked', 30);
$held->get();
if (($pid = pcntl_fork()) === 0) {
	$held->release();
	posix_kill(getmypid(), SIGKILL);
}
pcntl_waitpid($pid, $status);
var_dump($held->release(), $held->get(), $held->release());

/* A process-bound lock is the process's, whatever becomes of its object; by its owner's name it is found again. */
$code = <<<'CODE'
	use Illuminate\Support\Facades\Cache;
	$bound = fn (?string $owner = null) => Cache::processLock('bound', 0, $owner);
	if ($bound('me')->get()) {
		echo json_encode([$bound('me')->get(), $bound()->get(), Cache::lock('bound', 5)->get(), $bound()->release(), $bound('me')->refresh(),
			$bound('me')->release(), $bound('me')->release(), $bound()->get()]), "\n";
	}
	echo "held\n";
	fgets(STDIN);
	CODE;
$key = config('database.redis.options.prefix') . config('cache.prefix') . 'bound';
foreach ([0, SIGKILL] as $signal) {
	$process = $laravel->run($code);
	echo $process->line(), ' ';
	$process->await('held');
	echo $redis('EXISTS', $key), "\n";
	$signal ? $process->signal($signal) : $process->tell('exit');
	$process->end();
	wait_until(fn () => !$redis('EXISTS', $key));
}
/* Also when it was lost; once more, where the machine was so slow that the loss was told meanwhile. */
$bound = fn () => Cache::processLock('bound', 0, 'me');
do {
	try {
		$bound()->get();
		$redis('SET', $key, 'somebody');
		$bound()->refresh();
		$said = json_encode([$bound()->get(), $bound()->release(), $bound()->release(), $redis('DEL', $key), $bound()->get()]);
	} catch (RedisLock\LockLostException) {
		$said = null;
		$server->client()('DEL', $key);
	}
} while ($said === null);
echo "$said\n";
echo json_encode([$bound()->release(), $redis('EXISTS', $key)]), "\n";
/* By force, which is no loss to its own holder; and of another one's. */
echo json_encode([$bound()->get(), $bound()->forceRelease(), $redis('EXISTS', $key), $bound()->get(), $bound()->release(),
	Cache::lock('bound', 5)->get(), $bound()->forceRelease(), $redis('EXISTS', $key)]), "\n";

/* Owners and names may contain anything. */
$locks = [Cache::processLock('b ' . config('cache.prefix') . 'c', 0, 'a'), Cache::processLock('c', 0, 'a ' . config('cache.prefix') . 'b')];
foreach (['get', 'get', 'release', 'release'] as $i => $method) {
	echo json_encode($locks[$i % 2]->$method());
}
echo "\n";

/* The cache beside the locks is Laravel's. */
Cache::store('redislock')->put('item', ['a' => 1], 60);
var_dump(Cache::store('redis')->get('item') === ['a' => 1], Cache::store('redislock')->increment('count'));
echo "-- what a test has left ends before the next one\n";
putenv('APP_ENV=testing');
echo $laravel->run(<<<'CODE'
	use Illuminate\Support\Facades\Cache;
	$other = Cache::processLock('other');
	$apps = [$app];
	for ($test = 1; $test <= 3; $test++) {
		echo json_encode([Cache::processLock('left')->get(), $other->get()]), ' ';
		/* Somebody, a static variable for example, keeps the application. */
		$apps[] = $next = require "bootstrap/app.php";
		$next->make(Illuminate\Contracts\Console\Kernel::class)->bootstrap();
		$other = Cache::processLock('other');
	}
	CODE)->rest(), "\n";
putenv('APP_ENV=local');
?>
--EXPECT--
woken after: ok
bool(true)
bool(false)
bool(true)
redislock after redis: ok
bool(true)
bool(true)
bool(false)
bool(true)
redis after redislock: ok
bool(true)
bool(false)
bool(true)
bool(true)
[false,false,false,false,true,true,false,true] 1
[false,false,false,false,true,true,false,true] 1
[false,false,false,1,true]
[true,0]
[true,null,0,true,true,true,null,0]
truetruetruetrue
bool(true)
int(1)
-- what a test has left ends before the next one
[true,true] [true,true] [true,true] 
