--TEST--
Symfony: semaphores of our stores answer as those of Symfony's RedisStore; permits of a killed process are free at once
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_vendor(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require __DIR__ . '/../inc/timing.inc';
require vendor_autoload();

use RedisLock\Symfony\ProcessSemaphoreStore;
use RedisLock\Symfony\RedisSemaphoreStore;
use Symfony\Component\Semaphore\Exception\ExceptionInterface;
use Symfony\Component\Semaphore\Key;
use Symfony\Component\Semaphore\SemaphoreFactory;
use Symfony\Component\Semaphore\Store\RedisStore;

$server = new Server;
$redis = $server->client();
$said = function (callable $code): mixed {
	try {
		return $code();
	} catch (ExceptionInterface | RedisLock\Exception $e) {
		return substr(strrchr(get_class($e), '\\'), 1);
	}
};
$scenarios = [
	'one' => fn ($do, $is) => [$is('a'), $do('save', 'a', 600), $is('a', 'b'), $do('save', 'b', 600), $is('a', 'b'), $do('delete', 'b'), $do('delete', 'a'), $is('a'),
		$do('save', 'b', 600), $is('a', 'b'), $do('delete', 'b')],
	'two' => fn ($do, $is) => [$do('save', 'a', 600, 2), $do('save', 'b', 600, 2), $do('save', 'c', 600, 2), $is('a', 'b', 'c'), $do('delete', 'a'), $is('a', 'b', 'c'),
		$do('save', 'c', 600, 2), $is('a', 'b', 'c'), $do('delete', 'b'), $do('delete', 'c')],
	'weights' => fn ($do, $is) => [$do('save', 'a', 600, 4, 2), $do('save', 'b', 600, 4, 2), $do('save', 'c', 600, 4), $is('a', 'b', 'c'), $do('delete', 'b'), $do('save', 'c', 600, 4),
		$do('save', 'd', 600, 4, 3), $do('save', 'e', 600, 4), $do('delete', 'a'), $do('delete', 'c'), $do('delete', 'e'), $is('a', 'c', 'e')],
	'twice' => fn ($do, $is) => [$do('save', 'a', 600, 3, 2), $do('save', 'a', 600, 3, 2), $do('save', 'b', 600, 3), $do('delete', 'a'), $do('delete', 'a'), $do('delete', 'b'), $is('a')],
	'put off' => fn ($do, $is) => [$do('putOffExpiration', 'a', 900), $do('save', 'a', 600, 4, 2), $do('putOffExpiration', 'a', 900), $is('a'), $do('delete', 'a'),
		$do('putOffExpiration', 'a', 900), $is('a')],
	'wrong ttls' => fn ($do, $is) => [$do('save', 'a', -1), $do('save', 'a', 500), $do('putOffExpiration', 'a', -1), $is('a'), $do('delete', 'a')],
	'over' => fn ($do, $is) => [$do('save', 'a', 600, 2), $redis('FLUSHALL'), $is('a'), $do('putOffExpiration', 'a', 900), $do('save', 'a', 600, 2), $is('a'), $do('delete', 'a')],
];
$stores = ['Symfony' => new RedisStore(new Predis\Client("unix:$server->socket")), 'lease' => new RedisSemaphoreStore($server->options()),
	'process' => new ProcessSemaphoreStore($server->options())];
foreach ($scenarios as $name => $scenario) {
	foreach ($stores as $of => $store) {
		$keys = [];
		$key = function (string $name, int $limit = 1, int $weight = 1) use (&$keys) {
			return $keys[$name] ??= new Key('api', $limit, $weight);
		};
		$seen = json_encode($scenario(fn (string $what, string $name, float $ttl = 0, ...$rest) => $said(fn () => $what === 'delete' ? $store->delete($key($name))
			: $store->$what($key($name, ...$rest), $ttl)), fn (string ...$names) => array_map(fn ($name) => $store->exists($key($name)), $names)));
		if ($of === 'Symfony') {
			echo "$name: ", $expected = $seen, "\n";
		}
		echo $seen === $expected ? '' : "\t$of: $seen\n", $of !== 'Symfony' && $redis('EXISTS', 'semaphore:api') ? "\t$of left the key behind\n" : '';
		$redis('FLUSHALL');
	}
}

echo "-- with a Semaphore\n";
foreach ($stores as $of => $store) {
	$factory = new SemaphoreFactory($store);
	[$a, $b, $c] = [$factory->createSemaphore('api', 3, 2), $factory->createSemaphore('api', 3, 1, 200), $factory->createSemaphore('api', 3, autoRelease: false)];
	$seen = [$a->acquire(), $b->acquire(), $c->acquire(), $a->isAcquired(), $c->isAcquired(), ceil($b->getRemainingLifetime() / 100), $b->refresh(500), ceil($b->getRemainingLifetime() / 100),
		$a->isExpired()];
	unset($a);
	echo "$of: ", json_encode([...$seen, $c->acquire(), $c->acquire(), $c->release(), $b->release(), $b->isAcquired(), $said(fn () => $b->refresh()), $c->release()]), "\n";
}

echo "-- what we refuse\n";
foreach (['lease', 'process'] as $of) {
	$factory = new SemaphoreFactory($stores[$of]);
	echo json_encode([$said(fn () => $factory->createSemaphore('api', 4097)->acquire()), $said(fn () => $factory->createSemaphore('api', 2, 1, 0.0)->acquire())]), "\n";
}

echo "-- a key in another process, and a lock of that name beside it\n";
$key = new Key('api', 2);
$stores['lease']->save($key, 30);
$copy = unserialize(serialize($key));
$lock = new RedisLock($server->options(['name' => 'api']));
echo json_encode([$stores['lease']->exists($copy), $lock->acquire(), $lock->release(), $stores['lease']->delete($copy), $stores['lease']->exists($key),
	$redis('EXISTS', 'semaphore:api')]), "\n";

echo "-- a killed process, while another one waits\n";
$run = fn (string $store, string $code) => new Php('require ' . var_export(vendor_autoload(), true) . ';
	$semaphore = (new Symfony\Component\Semaphore\SemaphoreFactory(new RedisLock\Symfony\\' . $store . '("unix:$argv[1]", 60.0)))->createSemaphore("api", 2);' .
	$code, [$server->socket]);
$holders = [];
foreach ([0, 1] as $i) {
	$holders[] = $holder = $run('ProcessSemaphoreStore', 'echo json_encode($semaphore->acquire()), "\n"; fgets(STDIN);');
	$holder->await('true');
}
foreach (['ProcessSemaphoreStore', 'RedisSemaphoreStore'] as $i => $store) {
	$waiter = $run($store, 'echo json_encode($semaphore->acquire()), "\n"; $semaphore->release();');
	wait_until(fn () => (new RedisLock($server->options(['name' => 'semaphore:api'])))->holder()['waited']);
	$holders[$i]->signal(SIGKILL);
	echo $waiter->rest();
}
wait_until(fn () => !$redis('EXISTS', 'semaphore:api'));

echo "-- lost\n";
$lost = (new SemaphoreFactory(new ProcessSemaphoreStore($server->options(['interval' => 0.1]))))->createSemaphore('api', 2, 1, 30);
$lost->acquire();
try {
	/* Over a connection of its own: the loss may come before the answer. */
	$server->client()('DEL', 'semaphore:api');
	pause(10, 'until the loss is told');
} catch (RedisLock\LockLostException $e) {
	echo $e->getMessage(), "\n";
}
echo json_encode([$lost->isAcquired(), $lost->acquire(), $lost->release()]), "\n";
$server->kill();
echo $said(fn () => $lost->acquire()), "\n";
?>
--EXPECT--
one: [[false],null,[true,false],"SemaphoreAcquiringException",[true,false],null,null,[false],null,[false,true],null]
two: [null,null,"SemaphoreAcquiringException",[true,true,false],null,[false,true,false],null,[false,true,true],null,null]
weights: [null,null,"SemaphoreAcquiringException",[true,true,false],null,null,"SemaphoreAcquiringException",null,null,null,null,[false,false,false]]
twice: [null,null,null,null,null,null,[false]]
put off: ["SemaphoreExpiredException",null,null,[true],null,"SemaphoreExpiredException",[false]]
wrong ttls: ["InvalidArgumentException",null,"InvalidArgumentException",[true],null]
over: [null,"OK",[false],"SemaphoreExpiredException",null,[true],null]
-- with a Semaphore
Symfony: [true,true,false,true,false,2,null,5,false,true,true,null,null,false,"SemaphoreExpiredException",null]
lease: [true,true,false,true,false,2,null,5,false,true,true,null,null,false,"SemaphoreExpiredException",null]
process: [true,true,false,true,false,2,null,5,false,true,true,null,null,false,"SemaphoreExpiredException",null]
-- what we refuse
["RuntimeException","RuntimeException"]
["RuntimeException","RuntimeException"]
-- a key in another process, and a lock of that name beside it
[true,true,true,null,false,0]
-- a killed process, while another one waits
true
true
-- lost
lock "semaphore:api" was lost: its key was deleted or has another owner
[false,true,null]
RuntimeException
