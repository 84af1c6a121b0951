--TEST--
Laravel: queue:work with WithoutOverlapping, Laravel's and ours, and with unique jobs; workers are killed
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

$server = new Server(true);
$redis = $server->client();
$laravel = new LaravelApp($server, 'require __DIR__ . "/../jobs.php";');
$laravel->write('jobs.php', file_get_contents(__DIR__ . '/laravel_queue_jobs.inc'));
$laravel->boot();
$stock = Illuminate\Queue\Middleware\WithoutOverlapping::class;
$bound = RedisLock\Laravel\WithoutOverlapping::class;
$prefix = config('database.redis.options.prefix') . config('cache.prefix');
$overlap = $prefix . 'laravel-queue-overlap:key';
$unique = $prefix . Illuminate\Bus\UniqueLock::getKey(new UniqueJob('u'));
$queued = fn () => $redis('LLEN', config('database.redis.options.prefix') . 'queues:default');
$work = function (Job ...$jobs) use ($laravel): Php {
	array_map(fn ($job) => dispatch($job) && 0, $jobs);
	return $laravel->artisan('queue:work', '--stop-when-empty', '--sleep=0.01', '-q');
};
$finish = function (Php $worker): void {
	$worker->tell('go');
	echo $worker->rest(), json_encode($worker->end()), "\n";
};

echo "-- ours: others are kept out, and a killed worker frees its key at once\n";
$first = $work(new Job('a', $bound));
$first->await('a begins');
foreach ([$bound, $stock] as $middleware) {
	$finish($work(new Job('b', $middleware)));
}
expect_between('ttl', $redis('PTTL', $overlap) / 1000, 15, 30);
expect_within('freed after', 0.05, function () use (&$first, $work, $redis, $overlap, $bound) {
	if (!is_running($first->pid)) {
		$first = $work(new Job('a', $bound));
		$first->await('a begins');
	}
	$first->signal(SIGKILL);
	$killed = hrtime(true) / 1e9;
	wait_until(fn () => !$redis('EXISTS', $overlap));
	return taken($killed);
}, 5);
$finish($work(new Job('c', $bound)));
var_dump($redis('EXISTS', $overlap));

echo "-- Laravel's own leaves it for ever\n";
$first = $work(new Job('d', $stock));
$first->await('d begins');
$first->signal(SIGKILL);
$first->end();
$finish($work(new Job('e', $stock), new Job('f', $bound)));
var_dump($redis('TTL', $overlap), $redis('DEL', $overlap));

echo "-- a lost lock stops the job\n";
$first = $work(new Job('g', $bound, 1), new Job('h', $bound));
$first->await('g begins');
$redis('DEL', $overlap);
echo $first->line(), "\n";
$finish($first);

echo "-- one that is noticed at the end only makes the job fail, and be tried again\n";
$worker = $work(new Job('deletes', $bound, 0, 2), new Job('i', $bound));
$worker->await('i begins');
$finish($worker);

echo "-- unique from the dispatcher to the end of the job, whatever becomes of the worker\n";
$first = $work(new UniqueJob('u'), new UniqueJob('u'));
$first->await('u begins');
dispatch(new UniqueJob('u'));
var_dump($queued());
$finish($first);
var_dump($redis('EXISTS', $unique));
$first = $work(new UniqueJob('u'));
$first->await('u begins');
$first->signal(SIGKILL);
$first->end();
var_dump($redis('TTL', $unique) > 3500);
?>
--EXPECT--
-- ours: others are kept out, and a killed worker frees its key at once
{"exit":0}
{"exit":0}
ttl: ok
freed after: ok
c begins
c ends
{"exit":0}
int(0)
-- Laravel's own leaves it for ever
{"exit":0}
int(-1)
int(1)
-- a lost lock stops the job
g failed: RedisLock\LockLostException
h begins
h ends
{"exit":0}
-- one that is noticed at the end only makes the job fail, and be tried again
i ends
deletes begins
its key is gone
deletes failed: RedisLock\LockLostException
{"exit":0}
-- unique from the dispatcher to the end of the job, whatever becomes of the worker
int(0)
u ends
{"exit":0}
int(0)
bool(true)
