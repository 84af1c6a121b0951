--TEST--
Laravel: the lock of a scheduled command is freed if the server does not answer as schedule:run hands it on
--EXTENSIONS--
mbstring
ctype
tokenizer
--SKIPIF--
<?php require __DIR__ . '/../inc/laravel.inc'; skip_unless_laravel(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/laravel.inc';
require __DIR__ . '/../chaos/Proxy.php';

use Illuminate\Console\Application;
use Illuminate\Console\Scheduling\Event;
use Illuminate\Support\Facades\Cache;
use RedisLock\Laravel\ProcessEventMutex;

$server = new Server(true);
$redis = $server->client();
$app = (new LaravelApp($server))->boot();
$proxy = new Proxy($server->port);
config(['database.redis.far' => ['port' => $proxy->port, 'read_timeout' => 1] + config('database.redis.default'),
	'cache.stores.far' => ['lock_connection' => 'far'] + config('cache.stores.redislock')]);

/* Afterwards the server has the scripts. */
$store = Cache::store('redislock')->getStore();
$lock = $store->processLock('scripts');
$acquired = $lock->get();
$lock->giveAway();
$lease = $store->lease('scripts', 60, $lock->owner());
step('scripts', $acquired, $lease->refresh(), $lease->release());

$mutex = $app->make(ProcessEventMutex::class)->useStore('far');
$event = (new Event($mutex, Application::formatCommandString('report')))->withoutOverlapping();
$event->before(function () use ($redis, $event, $proxy) {
	step('held', count($redis('KEYS', "*{$event->mutexName()}")));
	$proxy->tell('swallow down');
});
try {
	$event->run($app);
} catch (RedisLock\ConnectionException $e) {
	step(get_class($e), str_contains($e->getMessage(), 'did not answer in time'));
}
wait_until(fn () => $redis('KEYS', '*schedule*') === [], 20); /* the lock had a ttl of 30 s, the lease has a day */
?>
--EXPECT--
scripts: true, true, true
held: 1
RedisLock\ConnectionException: true
