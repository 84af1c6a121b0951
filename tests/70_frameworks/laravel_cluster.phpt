--TEST--
Laravel: locks on a Redis Cluster and behind sentinels, beside Laravel's own
--EXTENSIONS--
mbstring
ctype
tokenizer
--SKIPIF--
<?php require __DIR__ . '/../inc/laravel.inc'; skip_unless_laravel(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/laravel.inc';
require __DIR__ . '/../inc/cluster.inc';
require __DIR__ . '/../inc/sentinel.inc';

use Illuminate\Cache\RedisStore;
use Illuminate\Redis\RedisManager;
use RedisLock\Laravel\RedisLockStore;

$cluster = new Cluster;
$node = fn (int $n) => ['host' => '127.0.0.1', 'port' => (string) $cluster->ports[$n], 'database' => '0', 'password' => null];
$databases = ['options' => ['cluster' => 'redis', 'prefix' => 'all_'],
	'clusters' => ['locks' => [$node(0), $node(1)], 'options' => ['prefix' => 'cluster_']]];
$manager = new RedisManager(null, 'predis', $databases);
$stock = new RedisStore($manager, 'cache_', 'locks');
$ours = new RedisLockStore($manager, $databases, 'cache_', 'locks');
/* Names of all three nodes. */
foreach (['a', 'b', 'c', 'd'] as $name) {
	$held = $stock->lock($name, 30);
	echo json_encode([$held->get(), $ours->lock($name)->get(), $ours->restoreLock($name, $held->owner())->release(),
		$ours->lock($name, 30)->block(1), $stock->lock($name)->get()]), "\n";
}
try {
	(new RedisLockStore($manager, ['options' => ['cluster' => 'predis']] + $databases, 'cache_', 'locks'))->lock('a');
} catch (InvalidArgumentException $e) {
	echo $e->getMessage(), "\n";
}

/* As Predis has it: the connection is a list of sentinels. */
$all = new Sentinels(1, 2);
$databases = ['locks' => [...array_map(fn ($sentinel) => "tcp://127.0.0.1:$sentinel->port", $all->sentinels),
	'options' => ['replication' => 'sentinel', 'service' => 'mymaster', 'prefix' => 'sentinel_']]];
$manager = new RedisManager(null, 'predis', $databases);
$held = (new RedisStore($manager, 'cache_', 'locks'))->lock('a', 30);
$ours = new RedisLockStore($manager, $databases, 'cache_', 'locks');
echo json_encode([$held->get(), $ours->lock('a')->get(), $ours->restoreLock('a', $held->owner())->release(),
	$ours->lock('a', 30)->get(), $held->get()]), "\n";
?>
--EXPECT--
[true,false,true,true,false]
[true,false,true,true,false]
[true,false,true,true,false]
[true,false,true,true,false]
Redis connection [locks] spreads keys over servers by itself, which locks are not made for: only a Redis Cluster ("cluster" => "redis") is.
[true,false,true,true,false]
