--TEST--
Symfony: locks of our store answer as those of Symfony's RedisStore, and the two exclude each other
--INI--
redislock.prefix=ini:
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_vendor(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require __DIR__ . '/../inc/timing.inc';
require vendor_autoload();

use RedisLock\Symfony\TtlLockFactory as Told;
use RedisLock\Symfony\RedisLockStore;
use Symfony\Component\Lock\Exception\ExceptionInterface;
use Symfony\Component\Lock\Key;
use Symfony\Component\Lock\LockFactory;
use Symfony\Component\Lock\PersistingStoreInterface as Store;
use Symfony\Component\Lock\Store\CombinedStore;
use Symfony\Component\Lock\Store\RedisStore;
use Symfony\Component\Lock\Strategy\UnanimousStrategy;

$server = new Server;
$redis = $server->client();
$stock = fn (float ...$ttl) => new RedisStore(new Predis\Client("unix:$server->socket"), ...$ttl);
$ours = fn (float ...$ttl) => new RedisLockStore($server->options(), ...$ttl);
$thrown = function (callable $code): mixed {
	try {
		return $code();
	} catch (ExceptionInterface $e) {
		return substr(strrchr(get_class($e), '\\'), 1) .
			($e->getPrevious() ? ' < ' . substr(strrchr(get_class($e->getPrevious()), '\\'), 1) : '');
	}
};

/* Seconds a lock lives are told in tenths, rounded. */
$scenario = function (Closure $make) use ($redis, $thrown): array {
	$redis('FLUSHALL');
	$store = $make();
	$factory = new LockFactory($store);
	$ttl = fn (string $key) => round($redis('PTTL', $key) / 1000, 1);
	$lock = fn (string $name, ...$rest) => $factory->createLock($name, ...$rest);

	$first = $lock('job', 20.0);
	$second = $lock('job', 20.0);
	$said['taken once'] = [$first->acquire(), $first->acquire(), $second->acquire(), $ttl('job')];
	$said['asked'] = [$first->isAcquired(), $second->isAcquired(), $first->isExpired(), round($first->getRemainingLifetime())];
	$said['refreshed'] = [$first->refresh(7.5), $ttl('job'), $first->refresh(), $ttl('job'), $thrown(fn () => $second->refresh())];
	$said['released by another'] = [$thrown(fn () => $second->release()), $first->isAcquired()];
	$said['released'] = [$first->release(), $redis('EXISTS', 'job'), $first->isAcquired(), $thrown(fn () => $first->release()),
		$thrown(fn () => $first->refresh())];
	$said['taken again'] = [$first->acquire(true), $second->acquire(), $first->release(), $second->acquire(), $second->release()];
	/* One that has not put off yet what it has saved. */
	$day = (new LockFactory($make(86400.0)))->createLock('day', null);
	$said['refreshed after release and loss'] = [$day->acquire(), $day->release(), $thrown(fn () => $day->refresh(86400))];
	foreach ([86400, null] as $by) {
		array_push($said['refreshed after release and loss'], $day->acquire(), $redis('DEL', 'day'), pause(0.06, 'what was saved within 50 ms is not asked for'),
			$thrown(fn () => $day->refresh($by ?? $day->getRemainingLifetime())));
	}
	$said['for reading'] = [$first->acquireRead(), $lock('job')->acquire(), $first->release()];
	$default = $lock('default');
	$said['default ttl'] = [$default->acquire(), $ttl('default'), $default->release()];
	$endless = $lock('endless', null);
	$said['no ttl of its own'] = [$endless->acquire(), $ttl('endless'), $endless->getRemainingLifetime() > 299,
		$thrown(fn () => $endless->refresh()), $endless->release()];

	$short = $lock('short', 0.2);
	$said['fraction'] = [$short->acquire(), $ttl('short'), wait_until(fn () => !$redis('EXISTS', 'short')), $short->isExpired(), $short->isAcquired(),
		$lock('short')->acquire(), $thrown(fn () => $short->refresh()), $thrown(fn () => $short->release())];
	$said['too short'] = [$thrown(fn () => $lock('tiny', 0.000001)->acquire()), $redis('EXISTS', 'tiny')];

	$said['too long'] = [$lock('age', 1e9)->acquire(), $lock('ages', 1e12, false)->acquire(), $redis('DEL', 'ages')];

	$auto = $lock('auto');
	$_ = $auto->acquire();
	unset($auto);
	$kept = $lock('kept', 30.0, false);
	$_ = $kept->acquire();
	unset($kept);
	$said['destroyed'] = [$redis('EXISTS', 'auto'), $redis('EXISTS', 'kept')];

	/* The store itself, with keys of our own. */
	$key = new Key('key');
	$copy = fn (Key $key) => unserialize(serialize($key));
	$other = new Key('key');
	$said['key'] = [$store->exists($key), $store->save($key), $store->exists($key), $store->exists($other),
		$thrown(fn () => $store->save($other)), $store->save($key), $store->delete($other), $store->exists($key)];
	$said['key elsewhere'] = [$store->exists($copy($key)), $store->save($copy($key)), $store->putOffExpiration($copy($key), 50),
		$ttl('key'), $store->delete($copy($key)), $store->exists($key), $thrown(fn () => $store->putOffExpiration($key, 9))];
	$small = $make(0.5);
	$key = new Key('small');
	$said['initial ttl'] = [$small->save($key), $ttl('small'), $small->putOffExpiration($key, 9), $ttl('small'),
		$small->putOffExpiration($key, 0.5), $ttl('small'), $small->save($key), $ttl('small'), $small->delete($key),
		$thrown(fn () => $make(0.0))];
	foreach (["caf\xe9\x00\n", str_repeat('n', 10_001), '{tag}', '0'] as $i => $name) {
		$named = $lock($name);
		$said["name $i"] = [$named->acquire(), $redis('EXISTS', $name), $named->release(), $redis('EXISTS', $name)];
	}
	return $said;
};
[$expected, $all] = unless_stalled(fn () => [$scenario($stock), $scenario($ours)], fn (array $both) => $both[0] === $both[1]);
foreach ($all as $what => $said) {
	echo $what, ': ', json_encode($said), $said === $expected[$what] ? '' : ', Symfony: ' . json_encode($expected[$what]), "\n";
}

echo "-- what is sent for a pair\n";
/* The least of some: a process that has to wait for the CPU in between sends one more. */
$sent = function (callable $pair) use ($redis): int {
	for ($sums = [INF], $i = 0; $i < 60 && min($sums) > 2; $i++) {
		$redis('CONFIG', 'RESETSTAT');
		$pair();
		preg_match_all('/cmdstat_(set|evalsha|eval|delex|delifeq):calls=(\d+)/', $redis('INFO', 'commandstats'), $calls);
		$sums[] = array_sum($calls[2]);
	}
	return min($sums);
};
/* Our factory says what ttl there will be. */
$factories = ['Lock' => new Told($ours()), 'CombinedStore' => new Told(new CombinedStore([$ours()], new UnanimousStrategy)),
	"Symfony's factory" => new LockFactory($ours()), 'initial ttl 30' => new Told($ours(30.0))];
foreach ($factories as $name => $factory) {
	echo "$name:";
	foreach ([300.0, 30, 5.0, 4.0, null] as $ttl) {
		$lives = null;
		echo ' ', $sent(function () use ($factory, $ttl, $redis, &$lives) {
			$lock = $factory->createLock('pair', $ttl);
			$_ = $lock->acquire();
			$lives = (int) ceil($redis('PTTL', 'pair') / 1000);
			$lock->release();
		}), " ($lives s)";
	}
	echo "\n";
}
$store = $ours();
$key = new Key('pair');
$waits = (new Told($store))->createLock('pair', 60);
echo 'the store alone: ', $sent(function () use ($store, $key) {
	$store->save($key);
	$store->putOffExpiration($key, 30.0);
	$store->delete($key);
}), ', waiting: ', $sent(fn () => [$waits->acquire(true), $waits->refresh(30), $waits->release()]), "\n";
echo "-- the ttl a Lock will have is there from the start, also when the process dies in between\n";
$logger = new class extends Psr\Log\AbstractLogger {
	public ?Closure $at = null;
	public function log($level, $message, array $context = []): void
	{
		str_contains($message, 'Successfully acquired') && ($this->at)();
	}
};
$factory = new Told($store);
$factory->setLogger($logger);
foreach ([30.0, 0.5] as $ttl) {
	$logger->at = fn () => print ceil($redis('PTTL', 'between') / 1000) . ' ';
	$lock = $factory->createLock('between', $ttl);
	$_ = $lock->acquire();
	echo ceil($redis('PTTL', 'between') / 1000), ' ', ceil($lock->getRemainingLifetime()), "\n";
	$lock->release();
}
/* What takes too long, or is another key, is put off by a request; a loss is then noticed. */
$logger->at = fn () => pause(0.04, 'takes too long');
echo $sent(fn () => [$lock = $factory->createLock('between', 30.0), $lock->acquire(), $lock->release()]), ' ';
$logger->at = fn () => [pause(0.04, 'takes too long'), $redis('DEL', 'between')];
echo json_encode($factory->createLock('between', 30.0)->acquire()), "\n";

echo "-- names we refuse\n";
foreach (['', 'job:rlk:signal'] as $name) {
	$lock = (new LockFactory($ours()))->createLock($name, 5);
	echo json_encode([$thrown($lock->acquire(...)), $lock->isAcquired(), $lock->release()]), "\n";
}

echo "-- prefixes: only those given to the store, none of php.ini\n";
$url = "unix:$server->socket";
foreach ([$url, "$url?prefix=a:", ['url' => $url, 'prefix' => 'a:'], ['url' => $url, 'options' => ['prefix' => 'a:', 'serializer' => null]],
	['url' => "$url?prefix=a:", 'prefix' => 'b:', 'options' => ['prefix' => 'c:']], ['url' => $url, 'prefix' => '', 'options' => ['prefix' => 'c:']],
	['default' => $server->options(), 'options' => ['prefix' => 'a:']]] as $given) {
	$lock = (new LockFactory(new RedisLockStore($given)))->createLock('place', 5);
	$_ = $lock->acquire();
	echo implode(' ', $redis('KEYS', '*place')), ' ';
	$lock->release();
}
echo "\n";

echo "-- options that would change what a store's answers mean, and some that do not\n";
foreach ([['renew' => true], "$url?reentrant=1", ['url' => "$url?prefix=a:&token=x"], ['options' => ['parameters' => ['fence' => true]]],
	['default' => ['url' => "$url?hold_at_least=1"]], ['reentrant' => false], ['token' => null], ['interval' => 1, 'label' => 'web', 'ttl' => 7],
	['prefix' => 'token']] as $given) {
	try {
		new RedisLockStore($given);
		echo json_encode($given), "\n";
	} catch (ValueError $e) {
		echo $e->getMessage(), "\n";
	}
}

echo "-- side by side\n";
foreach ([[$ours(), $stock()], [$stock(), $ours()]] as [$holds, $comes]) {
	$held = (new LockFactory($holds))->createLock('both', 20);
	$comes = (new LockFactory($comes))->createLock('both', 20);
	echo json_encode([$held->acquire(), $comes->acquire(), $comes->isAcquired(), $thrown(fn () => $comes->refresh()),
		$held->release(), $comes->acquire(), $comes->release()]), "\n";
}

echo "-- no server\n";
$lock = (new LockFactory($ours()))->createLock('job', 20.0, false);
$_ = $lock->acquire();
$server->kill();
foreach (['acquire', 'refresh', 'isAcquired', 'release'] as $method) {
	echo $method, ': ', $thrown($lock->$method(...)), "\n";
}
?>
--EXPECT--
taken once: [true,true,false,20]
asked: [true,false,false,20]
refreshed: [null,7.5,null,20,"LockConflictedException"]
released by another: [null,true]
released: [null,0,false,null,"LockConflictedException"]
taken again: [true,false,null,true,null]
refreshed after release and loss: [true,null,"LockConflictedException",true,1,null,"LockConflictedException",true,1,null,"LockConflictedException"]
for reading: [true,false,null]
default ttl: [true,300,null]
no ttl of its own: [true,300,true,"InvalidArgumentException",null]
fraction: [true,0.2,null,true,false,true,"LockConflictedException",null]
too short: ["LockAcquiringException < LockAcquiringException",0]
too long: [true,true,1]
destroyed: [0,1]
key: [false,null,true,false,"LockConflictedException",null,null,true]
key elsewhere: [true,null,null,50,null,false,"LockConflictedException"]
initial ttl: [null,0.5,null,9,null,0.5,null,0.5,null,"InvalidTtlException"]
name 0: [true,1,null,0]
name 1: [true,1,null,0]
name 2: [true,1,null,0]
name 3: [true,1,null,0]
-- what is sent for a pair
Lock: 2 (300 s) 2 (30 s) 2 (5 s) 3 (4 s) 2 (300 s)
CombinedStore: 2 (300 s) 2 (30 s) 2 (5 s) 3 (4 s) 2 (300 s)
Symfony's factory: 2 (300 s) 3 (30 s) 3 (5 s) 3 (4 s) 2 (300 s)
initial ttl 30: 2 (300 s) 2 (30 s) 2 (5 s) 3 (4 s) 2 (30 s)
the store alone: 3, waiting: 3
-- the ttl a Lock will have is there from the start, also when the process dies in between
30 30 30
300 1 1
3 false
-- names we refuse
["LockAcquiringException < InvalidArgumentException",false,null]
["LockAcquiringException < InvalidArgumentException",false,null]
-- prefixes: only those given to the store, none of php.ini
place a:place a:place a:place a:place place a:place 
-- options that would change what a store's answers mean, and some that do not
The option "renew" is not one of the connection, and cannot be given to an adapter.
The option "reentrant" is not one of the connection, and cannot be given to an adapter.
The option "token" is not one of the connection, and cannot be given to an adapter.
The option "fence" is not one of the connection, and cannot be given to an adapter.
The option "hold_at_least" is not one of the connection, and cannot be given to an adapter.
The option "reentrant" is not one of the connection, and cannot be given to an adapter.
{"token":null}
{"interval":1,"label":"web","ttl":7}
{"prefix":"token"}
-- side by side
[true,false,false,"LockConflictedException",null,true,null]
[true,false,false,"LockConflictedException",null,true,null]
-- no server
acquire: LockAcquiringException < LockStorageException
refresh: LockAcquiringException < LockStorageException
isAcquired: LockStorageException < ConnectionException
release: LockReleasingException < LockStorageException
