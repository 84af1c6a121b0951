--TEST--
Symfony: several stores of ours in a CombinedStore, with one key for all, answer as Symfony's do
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_vendor(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require vendor_autoload();

use RedisLock\Symfony\RedisLockStore;
use Symfony\Component\Lock\Key;
use Symfony\Component\Lock\LockFactory;
use Symfony\Component\Lock\Store\CombinedStore;
use Symfony\Component\Lock\Store\RedisStore;
use Symfony\Component\Lock\Strategy\ConsensusStrategy;
use Symfony\Component\Lock\Strategy\UnanimousStrategy;

$servers = [new Server, new Server, new Server];
$redis = array_map(fn ($server) => $server->client(), $servers);
$all = fn (...$command) => array_map(fn ($client) => $client(...$command), $redis);
$stock = fn (Server $server) => new RedisStore(new Predis\Client("unix:$server->socket"));
$ours = fn (Server $server) => new RedisLockStore($server->options());

$scenario = function (Closure $make, string $strategy) use ($servers, $redis, $all): array {
	$all('FLUSHALL');
	$factory = fn () => new LockFactory(new CombinedStore(array_map($make, $servers), new $strategy));
	$ttls = fn () => array_map(fn ($ms) => (int) ceil($ms / 1000), $all('PTTL', 'job'));
	$lock = $factory()->createLock('job', 20.0);
	$other = $factory()->createLock('job', 20.0);
	foreach (['taken', 'taken again'] as $time) {
		$said[$time] = [$lock->acquire(), $lock->acquire(), $other->acquire(), $ttls(), $lock->isAcquired(), $other->isAcquired(),
			$lock->refresh(7), $ttls(), $lock->release(), $lock->isAcquired(), $all('EXISTS', 'job')];
	}
	$endless = $factory()->createLock('job');
	$said['initial ttl'] = [$endless->acquire(), $ttls(), $endless->isAcquired(), $endless->release(), $all('EXISTS', 'job')];

	$key = new Key('job');
	$_ = $factory()->createLockFromKey($key, 20, false)->acquire();
	$elsewhere = $factory()->createLockFromKey(unserialize(serialize($key)), 30);
	$said['in another process'] = [$elsewhere->isAcquired(), $elsewhere->refresh(), $ttls(), $elsewhere->release(), $all('EXISTS', 'job'),
		$factory()->createLockFromKey($key, 20)->isAcquired()];

	foreach ([0, 2] as $taken) {
		$redis[$taken]('SET', 'job', 'somebody');
		$said["server $taken taken"] = [$lock->acquire(), $all('EXISTS', 'job'), $lock->isAcquired(), $lock->release(), $all('EXISTS', 'job'),
			$all('DEL', 'job')];
	}
	$said['lost on one'] = [$lock->acquire(), $redis[1]('DEL', 'job'), $lock->isAcquired(), $lock->acquire(), $all('EXISTS', 'job'),
		$lock->release(), $all('EXISTS', 'job')];
	return $said;
};
foreach ([ConsensusStrategy::class, UnanimousStrategy::class] as $strategy) {
	echo '-- ', substr(strrchr($strategy, '\\'), 1), "\n";
	$expected = $scenario($stock, $strategy);
	foreach ($scenario($ours, $strategy) as $what => $said) {
		echo $what, ': ', json_encode($said), $said === $expected[$what] ? '' : ', Symfony: ' . json_encode($expected[$what]), "\n";
	}
}

echo "-- two of ours on one server, with prefixes\n";
$stores = array_map(fn ($prefix) => new RedisLockStore($servers[0]->options(['prefix' => $prefix])), ['a:', 'b:']);
$key = new Key('job');
foreach ($stores as $store) {
	$store->save($key);
}
echo json_encode([$redis[0]('EXISTS', 'a:job', 'b:job'), array_map(fn ($store) => $store->exists($key), $stores),
	$stores[0]->delete($key), array_map(fn ($store) => $store->exists($key), $stores), $stores[1]->delete($key),
	$redis[0]('DBSIZE')]), "\n";

echo "-- a server that is away\n";
$servers[0]->kill();
foreach ([ConsensusStrategy::class, UnanimousStrategy::class] as $strategy) {
	$lock = (new LockFactory(new CombinedStore(array_map($ours, $servers), new $strategy)))->createLock('job', 20);
	$left = fn () => [$redis[1]('EXISTS', 'job'), $redis[2]('EXISTS', 'job')];
	echo json_encode([$lock->acquire(), $left(), $lock->isAcquired(), $lock->release(), $left()]), "\n";
}
?>
--EXPECT--
-- ConsensusStrategy
taken: [true,true,false,[20,20,20],true,false,null,[7,7,7],null,false,[0,0,0]]
taken again: [true,true,false,[20,20,20],true,false,null,[7,7,7],null,false,[0,0,0]]
initial ttl: [true,[300,300,300],true,null,[0,0,0]]
in another process: [true,null,[30,30,30],null,[0,0,0],false]
server 0 taken: [true,[1,1,1],true,null,[1,0,0],[1,0,0]]
server 2 taken: [true,[1,1,1],true,null,[0,0,1],[0,0,1]]
lost on one: [true,1,true,true,[1,1,1],null,[0,0,0]]
-- UnanimousStrategy
taken: [true,true,false,[20,20,20],true,false,null,[7,7,7],null,false,[0,0,0]]
taken again: [true,true,false,[20,20,20],true,false,null,[7,7,7],null,false,[0,0,0]]
initial ttl: [true,[300,300,300],true,null,[0,0,0]]
in another process: [true,null,[30,30,30],null,[0,0,0],false]
server 0 taken: [false,[1,0,0],false,null,[1,0,0],[1,0,0]]
server 2 taken: [false,[0,0,1],false,null,[0,0,1],[0,0,1]]
lost on one: [true,1,false,true,[1,1,1],null,[0,0,0]]
-- two of ours on one server, with prefixes
[2,[true,true],null,[false,true],null,0]
-- a server that is away
[true,[1,1],true,null,[0,0]]
[false,[0,0],false,null,[0,0]]
