--TEST--
Laravel: the middleware Concurrent has permits: woken, free when a worker is killed
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

use RedisLock\Laravel\Concurrent;

$server = new Server(true);
$servers = [new Server(true), new Server(true), new Server(true)];
$redis = $server->client();
$laravel = new LaravelApp($server, 'require __DIR__ . "/../jobs.php";');
$laravel->write('jobs.php', file_get_contents(__DIR__ . '/laravel_concurrent_jobs.inc'));
$driver = ['driver' => 'redislock', 'connection' => 'default'];
$laravel->write('config/cache.php', '<?php return ' . var_export(['stores' => ['redislock' => $driver, 'process' => ['process' => true] + $driver,
	'quorum' => ['servers' => array_map(fn ($server) => "tcp://127.0.0.1:$server->port?timeout=10&read_timeout=10", $servers)] + $driver,
	'failover' => ['driver' => 'failover', 'stores' => ['redislock', 'array']], 'array' => ['driver' => 'array']]], true) . ';');
$laravel->boot();
$lock = fn (string $name) => new RedisLock(['port' => $server->port, 'prefix' => config('database.redis.options.prefix') . config('cache.prefix'), 'name' => $name]);
$held = fn (string $name) => count($lock($name)->holders());

echo "-- jobs: two at once, a killed worker's permit is free at once, and who waits is woken\n";
$work = function (Job $job, string $queue) use ($laravel): Php {
	dispatch($job->onQueue($queue));
	return $laravel->artisan('queue:work', "--queue=$queue", '--stop-when-empty', '--sleep=0.01', '--timeout=0', '-q');
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
