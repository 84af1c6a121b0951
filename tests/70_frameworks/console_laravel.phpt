--TEST--
Laravel: artisan lists, shows and releases the locks of a store by their names, and examines its server
--EXTENSIONS--
pcntl
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
$laravel = new LaravelApp($server);
$artisan = function (string ...$arguments) use ($laravel): void {
	$process = $laravel->artisan(...$arguments);
	$said = trim($process->rest());
	echo implode(' ', $arguments), ': ', $process->end()['exit'], "\n", preg_replace(['/^/m', '/process \d+ on \S+/'], ["\t", 'process on'], $said), "\n";
};
$app = $laravel->boot();
$lock = $app->make('cache')->store('redislock')->lock('console_laravel', 18000);
$lock->get();
/* Laravel 13 writes dashes. */
echo implode(' ', $keys = $redis('KEYS', '*')), "\n";
$listed = $laravel->artisan('redislock:list', '--json');
$row = json_decode($said = $listed->rest(), true) ?? exit($said);
step('list', $row['name'], $row['pid'] === getmypid(), $row['waited']);
/* Events have the same name, and who waits for the lock is seen. */
$other = $app->make('cache')->store('redislock')->lock('console_laravel_too', 18000);
RedisLock\observe(fn (string $event, array $details) => print("$event $details[name]\n"));
$other->get();
RedisLock\observe(null);
$waiter = $laravel->run('$app->make("cache")->store("redislock")->lock("console_laravel_too", 18000)->block(60, fn () => print("woken\n"));');
wait_until(fn () => str_contains($redis('INFO', 'clients'), 'blocked_clients:1'));
echo 'waited: ', json_encode(json_decode($laravel->artisan('redislock:show', '--json', 'console_laravel_too')->rest(), true)['waited']), "\n";
$other->release();
echo $waiter->rest();
$artisan('redislock:show', 'console_laravel');
$artisan('redislock:show', 'other');
$artisan('redislock:release', 'console_laravel');
$artisan('redislock:release', '--force', 'console_laravel');
echo $redis('EXISTS', ...$keys), "\n";
$doctor = $laravel->artisan('redislock:doctor');
$said = $doctor->rest();
$old = server_is_before('6.2');
echo 'doctor: ', $doctor->end()['exit'] === ($old ? 1 : 0) && str_contains($said, $old ? 'Redis 6.2 or later' : 'No problem of 1 server') ? 'ok' : $said, "\n";
$artisan('redislock:list', '--store=array');
$help = $laravel->artisan('list', 'redislock')->rest();
preg_match_all('/redislock:\w+/', $help, $names);
echo implode(' ', $names[0]), "\n";
?>
--EXPECTF--
app%cdatabase%capp_cache_console_laravel
list: 'console_laravel', true, false
acquired console_laravel_too
waited: true
woken
redislock:show console_laravel: 0
	name     console_laravel
	kind     plain
	holder   process on
	ttl      5h
	waiters  none
redislock:show other: 1
	Nobody holds other.
redislock:release console_laravel: 64
	redislock: nobody is there to be asked: --force releases the lock without a question
redislock:release --force console_laravel: 0
	Released console_laravel.
0
doctor: ok
redislock:list --store=array: 64
	redislock: This cache store has no locks on a server: its driver is not "redislock", or this is a test.
redislock:doctor redislock:export redislock:list redislock:release redislock:show
