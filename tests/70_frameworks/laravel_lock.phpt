--TEST--
Laravel: locks of the store "redislock" answer as those of Laravel's own, and have the same keys
--EXTENSIONS--
mbstring
ctype
tokenizer
--SKIPIF--
<?php require __DIR__ . '/../inc/laravel.inc'; skip_unless_laravel(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/laravel.inc';
require_once __DIR__ . '/../inc/timing.inc';
require __DIR__ . '/../chaos/Proxy.php';

use Illuminate\Contracts\Cache\LockTimeoutException;
use Illuminate\Support\Facades\Cache;

$server = new Server(true);
$redis = $server->client();
$app = (new LaravelApp($server))->boot();
$key = fn (string $name) => config('database.redis.options.prefix') . config('cache.prefix') . $name;

$scenario = function (string $store) use ($redis, $key): array {
	$redis('FLUSHALL');
	$lock = fn (...$arguments) => Cache::store($store)->lock(...$arguments);
	$restore = fn (...$arguments) => Cache::store($store)->restoreLock(...$arguments);
	$timeout = function (callable $block): string {
		try {
			return 'got ' . json_encode($block());
		} catch (LockTimeoutException) {
			return 'timeout';
		}
	};
	$job = $lock('job', 10);
	$said['taken once'] = [$job->get(), $job->get(), $lock('job', 10)->get()];
	$said['on the server'] = [$redis('GET', $key('job')) === $job->owner(), $redis('TTL', $key('job')) >= 9];
	$said['owner'] = [$job->isOwnedByCurrentProcess(), $job->isOwnedBy('x'), $job->isOwnedBy(null),
		$lock('job')->isOwnedByCurrentProcess(), $lock('own', 5, 'me')->owner()];
	/* Laravel 13 has this. */
	$locked = fn (string $name) => method_exists($job, 'isLocked') ? $lock($name)->isLocked() : $name === 'job';
	$said['locked'] = [$locked('job'), $locked('other')];
	$said['released by others'] = [$lock('job')->release(), $restore('job', 'x')->release(), $redis('EXISTS', $key('job'))];
	$said['released'] = [$job->release(), $job->release(), $redis('EXISTS', $key('job')), $job->isOwnedBy(null)];
	$said['released elsewhere'] = [$job->get(), $restore('job', $job->owner())->release(), $job->release()];

	$short = $lock('short', 10);
	$short->get();
	$redis('PEXPIRE', $key('short'), 0);
	$said['after it expired'] = [$short->release(), $short->refresh(), $short->get(), $short->release()];
	$ever = $lock('ever');
	$said['no expiry'] = [$ever->get(), $redis('TTL', $key('ever')), $ever->refresh(50), $redis('TTL', $key('ever')) > 40,
		$ever->refresh(0), $redis('TTL', $key('ever')), $ever->refresh(), $ever->release()];
	$said['beyond 10 years'] = [$lock('age', 10 ** 10)->get(), $redis('TTL', $key('age')) > 315_000_000];
	$said['numeric strings'] = [$lock('text', '7')->get(), $redis('TTL', $key('text')) >= 6];
	$again = $lock('again', 5);
	$said['refreshed'] = [$again->refresh(), $again->get(), $again->refresh(60), $redis('TTL', $key('again')) > 50,
		$again->refresh(), $redis('TTL', $key('again')) <= 5, $restore('again', 'x')->refresh(9)];
	$lock('again')->forceRelease();
	$lock('nobody has it')->forceRelease();
	$said['by force'] = [$redis('EXISTS', $key('again'))];

	$said['with code'] = [$lock('code', 5)->get(fn () => $redis('EXISTS', $key('code'))), $redis('EXISTS', $key('code')),
		$lock('code', 5)->block(1, fn () => 'value'), $lock('code', 5)->get('not callable'), $lock('code')->get(fn () => 1)];
	$lock('code')->forceRelease();
	try {
		$lock('code', 5)->block(1, fn () => throw new DomainException('business'));
	} catch (DomainException $e) {
		$said['code throws'] = [$e->getMessage(), $redis('EXISTS', $key('code'))];
	}

	$lock('wait', 10, 'me')->get();
	$said['waits in vain'] = [$timeout(fn () => $lock('wait', 10)->block(0)),
		$timeout(fn () => $lock('wait', 10)->betweenBlockedAttemptsSleepFor(20)->block('1'))];
	$redis('PEXPIRE', $key('wait'), 100);
	$said['waits'] = [$lock('wait', 10, 'you')->block(5), $redis('GET', $key('wait')), $redis('TTL', $key('wait')) > 7];
	$said['waits for ever'] = [$redis('PEXPIRE', $key('wait'), 100), $lock('wait', 10)->block(PHP_INT_MAX)];
	$said['no expiry, waits'] = [$redis('PEXPIRE', $key('wait'), 100), $lock('wait')->block(5), $redis('TTL', $key('wait'))];

	$text = new class { public function __toString(): string { return 'text'; } };
	foreach ([7, 1.5, true, $text] as $owner) {
		$own = $lock('own', 10, $owner);
		$said['owner ' . json_encode($owner)] = [$own->get(), $redis('GET', $key('own')), $own->refresh(20), $own->isOwnedBy((string) $owner),
			$own->release(), $own->get(fn () => 'value'), $redis('EXISTS', $key('own'))];
	}
	$lock('own', 10)->get();
	$nobody = $restore('own', '');
	$said['owner empty'] = [$nobody->release(), $nobody->refresh(), $nobody->isOwnedByCurrentProcess(), $nobody->isOwnedBy(''),
		$nobody->forceRelease(), $redis('EXISTS', $key('own'))];

	foreach (["caf\xe9\x00\n", str_repeat('n', 10_001), '{tag}', '0'] as $i => $name) {
		$named = $lock($name, 5);
		$said["name $i"] = [$named->get(), $redis('GET', $key($name)) === $named->owner(), $named->release()];
	}
	/* What is no string is concatenated. */
	$redis('FLUSHALL');
	foreach ([42, 1.5, true, null, $text] as $name) {
		$named = $lock($name, 5);
		$said['name ' . json_encode($name)] = [$named->get(), $redis('GET', $key((string) $name)) === $named->owner(), $restore($name, $named->owner())->release(),
			Cache::store($store)->withoutOverlapping($name, fn () => $redis('EXISTS', $key((string) $name))), Cache::store($store)->processLock($name)->get(fn () => 'process')];
	}
	/* What is no number is no time, and not for ever. */
	foreach (['abc', '5 s', '', null, true, -1] as $seconds) {
		$thrown = function (callable $code): mixed {
			try {
				return $code();
			} catch (Throwable) {
				return 'thrown';
			}
		};
		$said['seconds ' . json_encode($seconds)] = [$thrown(fn () => $lock('time', $seconds)->get()), $redis('TTL', $key('time')),
			$thrown(fn () => $lock('wait for', 5, 'me')->block($seconds)), $redis('EXISTS', $key('wait for')),
			$lock('again', 5, 'me')->get(), $thrown(fn () => $lock('again', 5, 'me')->refresh($seconds)), $redis('TTL', $key('again'))];
		$redis('DEL', $key('time'), $key('again'), $key('wait for'));
	}
	return $said;
};

$stock = $scenario('redis');
foreach ($scenario('redislock') as $what => $said) {
	echo $what, ': ', json_encode($said), $said === $stock[$what] ? '' : ', stock: ' . json_encode($stock[$what]), "\n";
}

/* A limit in whole seconds is kept. */
$held = Cache::store('redislock')->lock('limit', 10);
$held->get();
$started = hrtime(true) / 1e9;
try {
	Cache::store('redislock')->lock('limit', 10)->block(1);
} catch (LockTimeoutException) {
	expect_taken('waited', $started, 0.99, 1.9);
}

/* And what only ours can: fractions, and owners by which waiters see who will wake them. */
$short = Cache::store('redislock')->lock('short', 0.5);
var_dump($short->get(), str_starts_with($short->owner(), 'rlk1:'));
wait_until(fn () => $redis('KEYS', '*short') === []);
var_dump($short->release());

echo "-- an owner whose release may be under way is not used again, unless it was given\n";
$store = Cache::store('redislock');
$locks = [$store->lock('of ours', 10), $store->lock('given', 10, 'me'), $store->processLock('bound'), $store->processLock('bound', 0, 'me'),
	$released = $store->lock('released', 10)];
$released->get();
$server->kill();
foreach ($locks as $lock) {
	try {
		$lock === $released ? $lock->release() : $lock->block(1);
	} catch (RedisLock\ConnectionException $e) {
		echo get_class($e);
	}
	$before[] = $lock->owner();
}
$server->start();
$redis = $server->client();
foreach ($locks as $i => $lock) {
	echo "\n", json_encode([$lock->get(), $lock->owner() === $before[$i], $lock->isOwnedByCurrentProcess(), $lock->release()]);
}

echo "\n-- nor forgotten while it may still have the key\n";
$proxy = new Proxy($server->port);
config(['database.redis.far' => ['port' => $proxy->port, 'read_timeout' => 0.5] + config('database.redis.default'),
	'cache.stores.far' => ['lock_connection' => 'far'] + config('cache.stores.redislock')]);
$thrown = function (callable $code): mixed {
	try {
		return $code();
	} catch (RedisLock\ConnectionException $e) {
		return get_class($e);
	}
};
foreach ([null, 'me'] as $owner) {
	$lock = Cache::store('far')->lock('far', 0, $owner);
	$said = [$lock->get()];
	$proxy->tell('refuse');
	$proxy->tell('reset');
	array_push($said, $thrown($lock->release(...)), $thrown($lock->get(...)));
	$proxy->tell('accept');
	array_push($said, $redis('PTTL', $key('far')), $lock->get(), $lock->release(), $redis('EXISTS', $key('far')), $lock->get(), $lock->release());
	echo json_encode($said), "\n";
}
$lock = Cache::store('far')->lock('far');
$proxy->tell('refuse');
$proxy->tell('reset');
echo json_encode([$thrown($lock->get(...)), $redis('SET', $key('far'), $lock->owner()) /* had its answer been lost */,
	$thrown($lock->get(...)), $proxy->tell('accept'), $lock->get(), $lock->release(), $redis('EXISTS', $key('far'))]), "\n";

echo "-- what is held stays held, whatever becomes of another try\n";
$lock = Cache::store('far')->lock('far', 60);
$said = [$lock->get()];
$owner = $lock->owner();
$proxy->tell('refuse');
$proxy->tell('reset');
array_push($said, $thrown($lock->get(...)), $proxy->tell('accept'), $lock->get());
$redis('CONFIG', 'RESETSTAT');
$proxy->tell('swallow down');
array_push($said, $thrown($lock->get(...)), comes_true(fn () => str_contains($redis('INFO', 'commandstats'), 'cmdstat_set:')), $proxy->tell('pass'), $lock->get(),
	$redis('GET', $key('far')) === $owner, $lock->owner() === $owner, $redis('DEL', $key('far')), $lock->get(), $lock->release());
echo json_encode($said), "\n";
?>
--EXPECT--
taken once: [true,false,false]
on the server: [true,true]
owner: [true,false,false,false,"me"]
locked: [true,false]
released by others: [false,false,1]
released: [true,false,0,true]
released elsewhere: [true,true,false]
after it expired: [false,false,true,true]
no expiry: [true,-1,true,true,true,-1,true,true]
beyond 10 years: [true,true]
numeric strings: [true,true]
refreshed: [false,true,true,true,true,true,false]
by force: [0]
with code: [1,0,"value",true,false]
code throws: ["business",0]
waits in vain: ["timeout","timeout"]
waits: [true,"you",true]
waits for ever: [1,true]
no expiry, waits: [1,true,-1]
owner 7: [true,"7",true,true,true,"value",0]
owner 1.5: [true,"1.5",true,true,true,"value",0]
owner true: [true,"1",true,true,true,"value",0]
owner {}: [true,"text",true,true,true,"value",0]
owner empty: [false,false,false,false,null,0]
name 0: [true,true,true]
name 1: [true,true,true]
name 2: [true,true,true]
name 3: [true,true,true]
name 42: [true,true,true,1,"process"]
name 1.5: [true,true,true,1,"process"]
name true: [true,true,true,1,"process"]
name null: [true,true,true,1,"process"]
name {}: [true,true,true,1,"process"]
seconds "abc": ["thrown",-2,"thrown",0,true,"thrown",5]
seconds "5 s": ["thrown",-2,"thrown",0,true,"thrown",5]
seconds "": [true,-1,"thrown",0,true,"thrown",5]
seconds null: [true,-1,true,1,true,true,5]
seconds true: [true,1,true,1,true,true,1]
seconds -1: [true,-1,true,1,true,true,-1]
waited: ok
bool(true)
bool(true)
bool(false)
-- an owner whose release may be under way is not used again, unless it was given
RedisLock\ConnectionExceptionRedisLock\ConnectionExceptionRedisLock\ConnectionExceptionRedisLock\ConnectionExceptionRedisLock\ConnectionException
[true,false,true,true]
[true,true,true,true]
[true,false,true,true]
[true,true,true,true]
[true,false,true,true]
-- nor forgotten while it may still have the key
[true,"RedisLock\\ConnectionException","RedisLock\\ConnectionException",-1,true,true,0,true,true]
[true,"RedisLock\\ConnectionException","RedisLock\\ConnectionException",-1,false,true,0,true,true]
["RedisLock\\ConnectionException","OK","RedisLock\\ConnectionException",null,true,true,0]
-- what is held stays held, whatever becomes of another try
[true,"RedisLock\\ConnectionException",null,false,"RedisLock\\ConnectionException",true,null,false,true,true,1,true,true]
