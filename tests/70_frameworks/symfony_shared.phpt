--TEST--
Symfony: readers and writers of our stores answer as those of Symfony's RedisStore, alone and on one key with them
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_vendor(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require vendor_autoload();

use RedisLock\Symfony\ProcessLockStore;
use RedisLock\Symfony\RedisLockStore;
use Symfony\Component\Lock\Exception\ExceptionInterface;
use Symfony\Component\Lock\Key;
use Symfony\Component\Lock\LockFactory;
use Symfony\Component\Lock\SharedLockStoreInterface as Store;
use Symfony\Component\Lock\Store\CombinedStore;
use Symfony\Component\Lock\Store\RedisStore;
use Symfony\Component\Lock\Strategy\UnanimousStrategy;

$server = new Server;
$redis = $server->client();
$stores = [
	'Symfony' => fn () => new RedisStore(new Predis\Client("unix:$server->socket")),
	'lease' => fn () => new RedisLockStore($server->options()),
	'process' => fn () => new ProcessLockStore($server->options(['on_lost' => 'flag'])),
];
$said = function (callable $code): mixed {
	try {
		return $code();
	} catch (ExceptionInterface $e) {
		return substr(strrchr(get_class($e), '\\'), 1);
	}
};

/* What others see, and what is thrown. Each leaves nothing behind. */
$scenarios = [
	'readers first' => fn ($do, $is) => [$do('saveRead', 'a'), $do('saveRead', 'b'), $is('a', 'b', 'c'), $do('save', 'c'), $is('a', 'b', 'c'), $do('delete', 'a'),
		$is('a', 'b', 'c'), $do('save', 'c'), $do('delete', 'b'), $is('a', 'b', 'c'), $do('save', 'c'), $is('a', 'b', 'c'), $do('delete', 'c'), $is('a', 'b', 'c')],
	'a writer first' => fn ($do, $is) => [$do('save', 'a'), $do('saveRead', 'b'), $is('a', 'b'), $do('save', 'b'), $do('delete', 'a'), $do('save', 'b'), $is('a', 'b'),
		$do('delete', 'b')],
	'no promotion beside others' => fn ($do, $is) => [$do('saveRead', 'a'), $do('saveRead', 'b'), $do('save', 'a'), $is('a', 'b'), $do('saveRead', 'c'), $do('delete', 'c'),
		$do('delete', 'b'), $do('delete', 'a')],
	'promotion' => fn ($do, $is) => [$do('saveRead', 'a'), $do('save', 'a'), $do('saveRead', 'b'), $is('a', 'b'), $do('save', 'a'), $do('delete', 'a'), $do('saveRead', 'b'),
		$is('a', 'b'), $do('delete', 'b')],
	'demotion' => fn ($do, $is) => [$do('save', 'a'), $do('saveRead', 'a'), $do('saveRead', 'b'), $is('a', 'b'), $do('save', 'a'), $do('delete', 'a'), $is('a', 'b'), $do('save', 'b'),
		$do('saveRead', 'a'), $do('saveRead', 'b'), $do('saveRead', 'a'), $do('delete', 'b'), $do('delete', 'a'), $is('a', 'b')],
	'put off' => fn ($do, $is) => [$do('saveRead', 'a'), $do('putOffExpiration', 'a', 50), $do('putOffExpiration', 'b', 50), $do('saveRead', 'b'), $do('putOffExpiration', 'b', 20),
		ceil($redis('PTTL', 'job') / 10_000), $do('delete', 'a'), ceil($redis('PTTL', 'job') / 10_000), $do('save', 'b'), $do('putOffExpiration', 'b', 30),
		ceil($redis('PTTL', 'job') / 10_000), $do('delete', 'b'), $do('putOffExpiration', 'b', 9)],
	'lost' => fn ($do, $is) => [$do('saveRead', 'a'), $redis('DEL', 'job'), $do('putOffExpiration', 'a', 50), $is('a'), $do('save', 'a'), $redis('DEL', 'job'), $is('a'),
		$do('saveRead', 'b'), $do('saveRead', 'a'), $is('a', 'b'), $do('delete', 'a'), $do('delete', 'b')],
];
$play = function (Closure $scenario, Store ...$of) use ($said): string {
	$keys = [];
	$key = function (string $name) use (&$keys) {
		return $keys[$name] ??= new Key('job');
	};
	/* The key "a" is of the first store, others are of the last one. */
	$store = fn (string $name) => $name === 'a' ? $of[0] : end($of);
	$do = fn (string $what, string $name, ...$rest) => $said(fn () => $store($name)->$what($key($name), ...$rest));
	return json_encode($scenario($do, fn (string ...$names) => array_map(fn ($name) => $store($name)->exists($key($name)), $names)));
};
foreach ($scenarios as $name => $scenario) {
	$expected = $play($scenario, $stores['Symfony']());
	echo "$name: $expected\n";
	foreach ($stores as $first => $a) {
		foreach ($stores as $second => $b) {
			$seen = $first === $second ? $play($scenario, $a()) : $play($scenario, $a(), $b());
			echo $seen === $expected ? '' : "\t$first, $second: $seen\n";
			if ($redis('EXISTS', 'job')) {
				echo "\t$first, $second: left the key behind\n";
				$redis('DEL', 'job');
			}
		}
	}
}

echo "-- in a CombinedStore, which lets go of a reader that could not become a writer\n";
$combined = fn (Closure ...$make) => new CombinedStore(array_map(fn ($make) => $make(), $make), new UnanimousStrategy);
foreach ($scenarios as $name => $scenario) {
	$expected = $play($scenario, $combined($stores['Symfony']));
	$seen = $play($scenario, $combined($stores['lease']));
	echo $seen === $expected ? '' : "$name: $seen\n\tSymfony: $expected\n";
	$redis('DEL', 'job');
}

echo "-- with a Lock\n";
foreach ($stores as $name => $make) {
	$factory = new LockFactory($make());
	[$a, $b, $writer] = [$factory->createLock('job', 300), $factory->createLock('job', 300), $factory->createLock('job', 300)];
	echo "$name: ", json_encode([$a->acquireRead(), $b->acquireRead(true), $writer->acquire(), $a->acquire(), $a->refresh(), $b->release(), $a->acquire(), $b->acquireRead(),
		$a->isAcquired(), $a->acquireRead(true), $b->acquireRead(), $a->release(), $b->release(), $writer->acquire(true), $writer->release()]), "\n";
}

echo "-- a copy of a key in another process\n";
$copy = fn (Key $key) => unserialize(serialize($key));
foreach (['Symfony', 'lease'] as $name) {
	[$store, $elsewhere, $key] = [$stores[$name](), $stores[$name](), new Key('job')];
	$store->saveRead($key);
	$other = $copy($key);
	echo "$name: ", json_encode([$elsewhere->save($other), $store->exists($key), $store->putOffExpiration($key, 50), $elsewhere->saveRead($other), $store->exists($key),
		$store->save($key), $elsewhere->exists($other), $elsewhere->delete($other), $store->exists($key), $redis('EXISTS', 'job')]), "\n";
}

echo "-- a key whose token is a mark of Symfony's writer, or looks like a weight\n";
$redis('DEL', 'job');
$writer = new Key('job');
$stores['Symfony']()->save($writer);
foreach (['__write__', 'token#2', 'token#b', '2#'] as $token) {
	foreach ([false, true] as $shared) {
		$key = new Key('job');
		$key->setState(RedisLockStore::class, $token);
		$key->setState(RedisLockStore::class . '.shared', $shared);
		$key = unserialize(serialize($key));
		echo $token, ': ', json_encode([$said(fn () => $stores['lease']()->exists($key)), $said(fn () => $stores['lease']()->save($key)),
			$said(fn () => $stores['lease']()->putOffExpiration($key, 9.0)), $said(fn () => $stores['lease']()->delete($key)), $stores['Symfony']()->exists($writer), $redis('ZCARD', 'job')]), "\n";
	}
}
$stores['Symfony']()->delete($writer);

echo "-- two who want to be the only one: one has to leave\n";
$run = fn (string $store, string $code) => new Php('require ' . var_export(vendor_autoload(), true) . ';
	$lock = (new Symfony\Component\Lock\LockFactory(new RedisLock\Symfony\\' . $store . '("unix:$argv[1]")))->createLock("job", 30);' . $code, [$server->socket]);
$waited = fn () => wait_until(fn () => (new RedisLock($server->options(['name' => 'job'])))->holder()['waited'] ?? false);
foreach (['RedisLockStore', 'ProcessLockStore'] as $store) {
	$first = $run($store, '$lock->acquireRead(); echo "reads\n"; fgets(STDIN); var_dump($lock->acquire(true)); $lock->release();');
	$first->await('reads');
	$lock = (new LockFactory($store === 'RedisLockStore' ? $stores['lease']() : $stores['process']()))->createLock('job', 30);
	$lock->acquireRead();
	$first->tell('go');
	echo json_encode([$lock->acquire(), $lock->isAcquired(), $lock->release()]), ' ', $first->rest();
}

echo "-- two who wait for that: for no longer than the lock has left\n";
[$one, $two, $short, $long] = [new Key('job'), new Key('job'), new RedisLockStore($server->options(), 0.3), new RedisLockStore($server->options())];
$short->saveRead($one);
$long->saveRead($two);
echo $said(fn () => $short->waitAndSave($one)), ' ', json_encode($long->exists($two)), "\n";
$long->delete($two);

echo "-- a reader that is killed\n";
$redis('DEL', '{job}:rlk:waiters');
$reader = $run('ProcessLockStore', '$lock->acquireRead(); echo "reads\n"; fgets(STDIN);');
$reader->await('reads');
$writer = $run('RedisLockStore', 'echo json_encode($lock->acquire(true)), " writes\n"; $lock->release();');
$waited();
$reader->signal(SIGKILL);
echo $writer->rest();

echo "-- where there is nothing to share: with fences, and on several servers\n";
$servers = [new Server, new Server, new Server];
$options = ['servers' => array_map(fn ($server) => "unix:$server->socket", $servers), 'timeout' => 10, 'read_timeout' => 10];
foreach ([new RedisLockStore($server->options(), 300, true), new ProcessLockStore($server->options(), true), new RedisLockStore($options), new ProcessLockStore($options)] as $store) {
	[$a, $b] = [(new LockFactory($store))->createLock('job', 300), (new LockFactory($store))->createLock('job', 300)];
	echo json_encode([$a->acquireRead(), $b->acquireRead(), $a->acquire(), $a->release(), $b->acquireRead(true), $b->release()]), "\n";
}
?>
--EXPECT--
readers first: [null,null,[true,true,false],"LockConflictedException",[true,true,false],null,[false,true,false],"LockConflictedException",null,[false,false,false],null,[false,false,true],null,[false,false,false]]
a writer first: [null,"LockConflictedException",[true,false],"LockConflictedException",null,null,[false,true],null]
no promotion beside others: [null,null,"LockConflictedException",[true,true],null,null,null,null]
promotion: [null,null,"LockConflictedException",[true,false],null,null,null,[false,true],null]
demotion: [null,null,null,[true,true],"LockConflictedException",null,[false,true],null,"LockConflictedException",null,null,null,null,[false,false]]
put off: [null,null,"LockConflictedException",null,null,5,null,2,null,null,3,null,"LockConflictedException"]
lost: [null,1,"LockConflictedException",[false],null,1,[false],null,null,[true,true],null,null]
-- in a CombinedStore, which lets go of a reader that could not become a writer
-- with a Lock
Symfony: [true,true,false,false,null,null,true,false,true,true,true,null,null,true,null]
lease: [true,true,false,false,null,null,true,false,true,true,true,null,null,true,null]
process: [true,true,false,false,null,null,true,false,true,true,true,null,null,true,null]
-- a copy of a key in another process
Symfony: [null,true,null,null,true,null,true,null,false,0]
lease: [null,true,null,null,true,null,true,null,false,0]
-- a key whose token is a mark of Symfony's writer, or looks like a weight
__write__: ["InvalidArgumentException","InvalidArgumentException","InvalidArgumentException","InvalidArgumentException",true,2]
__write__: ["InvalidArgumentException","InvalidArgumentException","InvalidArgumentException","InvalidArgumentException",true,2]
token#2: ["InvalidArgumentException","InvalidArgumentException","InvalidArgumentException","InvalidArgumentException",true,2]
token#2: ["InvalidArgumentException","InvalidArgumentException","InvalidArgumentException","InvalidArgumentException",true,2]
token#b: [false,"LockConflictedException","LockConflictedException",null,true,2]
token#b: [false,"LockConflictedException","LockConflictedException",null,true,2]
2#: [false,"LockConflictedException","LockConflictedException",null,true,2]
2#: [false,"LockConflictedException","LockConflictedException",null,true,2]
-- two who want to be the only one: one has to leave
[false,true,null] bool(true)
[false,true,null] bool(true)
-- two who wait for that: for no longer than the lock has left
LockConflictedException true
-- a reader that is killed
true writes
-- where there is nothing to share: with fences, and on several servers
[true,false,true,null,true,null]
[true,false,true,null,true,null]
[true,false,true,null,true,null]
[true,false,true,null,true,null]
