--TEST--
Laravel: Cache::funnel() and the middleware Concurrent have permits: one request a try, woken, free when a worker is killed
--EXTENSIONS--
mbstring
ctype
tokenizer
--SKIPIF--
<?php require __DIR__ . '/../inc/laravel.inc'; skip_unless_laravel(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/laravel.inc';
require __DIR__ . '/../inc/timing.inc';

use Illuminate\Cache\Limiters\LimiterTimeoutException;
use Illuminate\Support\Facades\Cache;
use RedisLock\Laravel\Concurrent;

$server = new Server(true);
$servers = [new Server(true), new Server(true), new Server(true)];
$redis = $server->client();
$laravel = new LaravelApp($server, 'require __DIR__ . "/../jobs.php";');
$laravel->write('jobs.php', file_get_contents(__DIR__ . '/laravel_funnel_jobs.inc'));
$driver = ['driver' => 'redislock', 'connection' => 'default'];
$laravel->write('config/cache.php', '<?php return ' . var_export(['stores' => ['redislock' => $driver, 'process' => ['process' => true] + $driver,
	'quorum' => ['servers' => array_map(fn ($server) => "tcp://127.0.0.1:$server->port?timeout=10&read_timeout=10", $servers)] + $driver,
	'failover' => ['driver' => 'failover', 'stores' => ['redislock', 'array']], 'array' => ['driver' => 'array']]], true) . ';');
$laravel->boot();
$lock = fn (string $name) => new RedisLock(['port' => $server->port, 'prefix' => config('database.redis.options.prefix') . config('cache.prefix'), 'name' => $name]);
$held = fn (string $name) => count($lock($name)->holders());
$said = function (callable $code): mixed {
	try {
		return $code();
	} catch (Exception $e) {
		return get_class($e);
	}
};

echo "-- the answers of Laravel's own\n";
$scenario = function (Illuminate\Contracts\Cache\Repository $cache) use ($said): array {
	$funnel = fn (int $limit = 2) => $cache->funnel('api')->limit($limit)->releaseAfter(60)->block(0)->sleep(10);
	return [$funnel()->then(fn () => 'in'), $funnel()->then(fn () => [$funnel()->then(fn () => [$funnel()->then(fn () => 'third', fn ($e) => get_class($e)),
		$said(fn () => $funnel()->then(fn () => 'third')), $funnel(3)->then(fn () => 'third of three')])]),
		$said(fn () => $funnel()->then(fn () => throw new DomainException)), $funnel()->then(fn () => $funnel()->then(fn () => 'both free'))];
};
$expected = json_encode($scenario(Cache::store('array')));
foreach (['redislock', 'process'] as $name) {
	echo "$name: ", json_encode($scenario(Cache::store($name))) === $expected ? 'the same' : json_encode($scenario(Cache::store($name))), ', ',
		get_class(Cache::store($name)->funnel('api')), "\n";
}
echo $expected, "\n", $held('funnel:api'), "\n";
try {
	Cache::store('quorum')->funnel('api')->limit(2)->block(0)->then(fn () => 'in');
} catch (ValueError $e) {
	echo 'quorum: ', $e->getMessage(), "\n";
}

echo "-- by whatever way it is reached, it is the same funnel\n";
$ways = ['store' => fn () => Cache::store('redislock'), 'tags' => fn () => Cache::tags(['a', 'b']), 'memo' => fn () => Cache::memo(), 'failover' => fn () => Cache::store('failover'),
	'process' => fn () => Cache::store('process'), 'process, tags' => fn () => Cache::store('process')->tags('a'), 'process, memo' => fn () => Cache::memo('process')];
foreach ($ways as $way => $cache) {
	$try = fn (Closure $cache) => $cache()->funnel('ways')->limit(2)->block(0)->sleep(10)->then(fn () => 'in', fn () => 'full');
	$within = fn (Closure $cache, Closure $code) => $cache()->funnel('ways')->limit(2)->block(0)->then($code);
	echo "$way: ", json_encode($within($ways['store'], fn () => $within($cache, fn () => [array_map($try, array_values($ways)), $held('funnel:ways'), Cache::lock('ways1', 9)->get(fn () => 'a lock inside')]))), ' ',
		$held('funnel:ways'), "\n";
}

echo "-- a try is one request\n";
$requests = function () use ($redis): int {
	preg_match_all('/cmdstat_(\w+)[^:]*:calls=(\d+)/', $redis('INFO', 'commandstats'), $calls, PREG_SET_ORDER);
	return array_sum(array_map(fn ($call) => in_array($call[1], ['set', 'evalsha', 'eval']) ? $call[2] : 0, $calls));
};
$full = function (Closure $code, int $left = 100) use (&$full): void {
	$left === 0 ? $code() : Cache::funnel('many')->limit(100)->block(0)->then(fn () => $full($code, $left - 1));
};
$full(function () use ($redis, $requests) {
	$redis('CONFIG', 'RESETSTAT');
	Cache::funnel('many')->limit(100)->block(0)->then(fn () => print "not full\n", fn () => null);
	echo $requests(), "\n";
});

echo "-- killed inside, woken outside\n";
$run = fn (string $code) => $laravel->run('$funnel = fn () => Cache::store("process")->funnel("killed")->limit(2);' . $code);
$workers = [];
for ($i = 0; $i < 2; $i++) {
	$workers[] = $worker = $run('$funnel()->then(function () { echo "in\n"; fgets(STDIN); });');
	$worker->await('in');
}
foreach ($workers as $worker) {
	$waiter = $run('$funnel()->block(60)->then(function () { echo "woken\n"; });');
	wait_until(fn () => $lock('funnel:killed')->holder()['waited']);
	$worker->signal(SIGKILL);
	echo $waiter->rest();
}
wait_until(fn () => $held('funnel:killed') === 0);

echo "-- jobs: two at once, a killed worker's permit is free at once, and who waits is woken\n";
$work = function (Job $job, string $queue) use ($laravel): Php {
	dispatch($job->onQueue($queue));
	return $laravel->artisan('queue:work', "--queue=$queue", '--stop-when-empty', '--sleep=0.01', '-q');
};
$concurrent = fn () => (new Concurrent(2, 'key', null))->shared();
$key = 'laravel-queue-concurrent:key';
$first = $work(new Job('a', $concurrent()), 'one');
$first->await('a begins');
$second = $work(new Job('b', $concurrent()), 'two');
$second->await('b begins');
echo json_encode($work(new Job('c', $concurrent()), 'three')->end()), ' ', $held($key), "\n";
$third = $work(new Job('d', $concurrent()->block(60)), 'three');
wait_until(fn () => $lock($key)->holder()['waited']);
$first->signal(SIGKILL);
$third->await('d begins');
foreach ([$second, $third] as $worker) {
	$worker->tell('go');
	echo $worker->rest();
}
echo $held($key), "\n";

echo "-- released to be tried again\n";
$first = $work(new Job('e', new Concurrent(1)), 'one');
$first->await('e begins');
dispatch((new Job('f', new Concurrent(1, '', 0)))->onQueue('two'));
$laravel->artisan('queue:work', '--queue=two', '--once', '-q')->end();
echo $redis('LLEN', config('database.redis.options.prefix') . 'queues:two') + $redis('ZCARD', config('database.redis.options.prefix') . 'queues:two:delayed'), " in the queue\n";
$first->tell('go');
echo $first->rest();
$second = $laravel->artisan('queue:work', '--queue=two', '--stop-when-empty', '--sleep=0.01', '-q');
$second->tell('go');
echo $second->rest();

echo "-- a lost permit stops the job\n";
$first = $work(new Job('g', new Concurrent(2, 'lost', null, 3), 1), 'one');
$first->await('g begins');
$redis('DEL', ...array_values(preg_grep('/lost$/', $redis('KEYS', '*concurrent*'))));
echo $first->rest();

echo "-- in memory, and on several servers\n";
foreach (['array', 'quorum'] as $name) {
	$ran = [];
	$in = function (int $depth) use ($name, &$in, &$ran): void {
		(new Concurrent(2, 'key', null))->onStore($name)->handle(new class {}, function () use (&$in, &$ran, $depth) {
			$ran[] = $depth;
			$in($depth + 1);
		});
	};
	$in(1);
	$in(1);
	echo "$name: ", json_encode($ran), "\n";
}
?>
--EXPECT--
-- the answers of Laravel's own
redislock: the same, RedisLock\Laravel\Funnel
process: the same, RedisLock\Laravel\Funnel
["in",[["Illuminate\\Cache\\Limiters\\LimiterTimeoutException","Illuminate\\Cache\\Limiters\\LimiterTimeoutException","third of three"]],"DomainException","both free"]
0
quorum: RedisLock::__construct(): Argument #1 ($params) is not valid: option "token" cannot be used with "servers": each try on several needs a fresh one
-- by whatever way it is reached, it is the same funnel
store: [["full","full","full","full","full","full","full"],2,"a lock inside"] 0
tags: [["full","full","full","full","full","full","full"],2,"a lock inside"] 0
memo: [["full","full","full","full","full","full","full"],2,"a lock inside"] 0
failover: [["full","full","full","full","full","full","full"],2,"a lock inside"] 0
process: [["full","full","full","full","full","full","full"],2,"a lock inside"] 0
process, tags: [["full","full","full","full","full","full","full"],2,"a lock inside"] 0
process, memo: [["full","full","full","full","full","full","full"],2,"a lock inside"] 0
-- a try is one request
1
-- killed inside, woken outside
woken
woken
-- jobs: two at once, a killed worker's permit is free at once, and who waits is woken
{"exit":0} 2
b ends
d ends
0
-- released to be tried again
1 in the queue
e ends
f begins
f ends
-- a lost permit stops the job
g failed: RedisLock\LockLostException
-- in memory, and on several servers
array: [1,2,1,2]
quorum: [1,2,1,2]
