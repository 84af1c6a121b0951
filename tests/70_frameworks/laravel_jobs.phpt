--TEST--
Laravel: a job's process-bound locks end with the job, and its retry has them at once; the log says which they were
--EXTENSIONS--
mbstring
ctype
tokenizer
--SKIPIF--
<?php require __DIR__ . '/../inc/laravel.inc'; skip_unless_laravel(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/laravel.inc';

$server = new Server(true);
$redis = $server->client();
$laravel = new LaravelApp($server, 'require __DIR__ . "/../jobs.php";' . <<<'CODE'
	$builder->booted(fn () => Cache::processLock('worker')->get());
	CODE);
$laravel->write('jobs.php', <<<'CODE'
	<?php
	use Illuminate\Contracts\Queue\ShouldQueue;
	use Illuminate\Foundation\Queue\Queueable;
	use Illuminate\Support\Facades\Cache;

	/** Leaves its lock behind: by an exception in each try but the last, or by forgetting it. */
	class Job implements ShouldQueue
	{
		use Queueable;

		public function __construct(public string $name, public int $tries = 1, public ?Job $inner = null)
		{
		}

		public function handle(): void
		{
			$try = $this->job?->attempts() ?? 1;
			echo "$this->name, try $try: ", Cache::processLock($this->name)->get() ? 'has it' : 'is refused', "\n";
			if ($this->inner) {
				dispatch_sync($this->inner);
			}
			if ($try < $this->tries) {
				throw new RuntimeException('failed');
			}
		}
	}
	CODE);
$laravel->boot();
$held = function () use ($redis): string {
	$names = preg_replace('/^.*[_:]/', '', $redis('KEYS', '*app_cache_*'));
	sort($names);
	return implode(' ', $names);
};
$logged = function () use ($laravel): void {
	preg_match_all('/\.(NOTICE: .*)$/m', $laravel->log(), $lines);
	echo implode("\n", array_map(rtrim(...), $lines[1])), "\n";
	file_put_contents("$laravel->folder/storage/logs/laravel.log", '');
};

echo "-- in one worker\n";
dispatch(new Job('throws', 2));
dispatch(new Job('forgets'));
dispatch(new Job('outer', 1, new Job('inner')));
echo $laravel->artisan('queue:work', '--stop-when-empty', '--sleep=0.01', '-q')->rest();
$logged();

echo "-- the worker that failed lives on, another one has the retry\n";
dispatch(new Job('throws', 2));
$first = $laravel->run('$app["events"]->listen(Illuminate\Queue\Events\JobAttempted::class, function () { echo "failed\n"; fgets(STDIN); });' .
	'Artisan::call("queue:work", ["--once" => true]);');
$first->await('failed');
echo 'held: ', $held(), "\n";
echo $laravel->artisan('queue:work', '--stop-when-empty', '--sleep=0.01', '-q')->rest();
$first->tell('go');
$first->end();
$logged();

echo "-- none is kept for longer than until the next one\n";
$objects = fn (): int => count((new ReflectionProperty(RedisLock\Laravel\ProcessLock::class, 'held'))->getValue());
$count = $objects();
$lock = Cache::processLock('forced', 0);
var_dump($lock->get());
$lock->forceRelease();
echo $objects() - $count, "\n";
try {
	var_dump(Cache::processLock('lost', 1)->get());
	$redis('DEL', config('database.redis.options.prefix') . config('cache.prefix') . 'lost');
	pause(10, "until the loss is told");
} catch (RedisLock\LockLostException) {
	echo "lost\n";
}
$next = Cache::processLock('next');
$next->get();
echo $objects() - $count, "\n";
?>
--EXPECT--
-- in one worker
throws, try 1: has it
forgets, try 1: has it
outer, try 1: has it
inner, try 1: has it
throws, try 2: has it
NOTICE: A job left the lock "throws" behind. It has ended with the job. {"locks":["throws"]}
NOTICE: A job left the lock "forgets" behind. It has ended with the job. {"locks":["forgets"]}
NOTICE: A job left the locks "inner", "outer" behind. They have ended with the job. {"locks":["inner","outer"]}
NOTICE: A job left the lock "throws" behind. It has ended with the job. {"locks":["throws"]}
-- the worker that failed lives on, another one has the retry
held: worker
throws, try 2: has it
NOTICE: A job left the lock "throws" behind. It has ended with the job. {"locks":["throws"]}
NOTICE: A job left the lock "throws" behind. It has ended with the job. {"locks":["throws"]}
-- none is kept for longer than until the next one
bool(true)
0
bool(true)
lost
1
