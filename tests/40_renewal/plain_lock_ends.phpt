--TEST--
RedisLock: renew => true ends with the object, a lease does not
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$take = function (bool $renew) use ($s) {
	$lock = new RedisLock($s->options(['name' => 'plain_lock_ends', 'ttl' => 30, 'renew' => $renew]));
	$lock->acquire() || print("not acquired\n");
	return $lock;
};
$held = fn () => $redis('EXISTS', 'plain_lock_ends');

$lock = $take(true);
unset($lock);
echo 'unset: ', $held(), "\n";

$lock = $take(true);
$lock = null;
echo 'assigned: ', $held(), "\n";

(fn () => $take(true)->isHeld())();
echo 'out of scope: ', $held(), "\n";

try {
	(function () use ($take) {
		$lock = $take(true);
		throw new Exception;
	})();
} catch (Exception) {
	unset($e);
}
echo 'exception: ', $held(), "\n";

$lock = $take(true);
$cycle = new stdClass;
$cycle->self = $cycle;
$cycle->lock = $lock;
unset($lock, $cycle);
echo 'in a cycle: ', $held(), ', collected: ', gc_collect_cycles() > 0 ? $held() : '?', "\n";

$several = new RedisLock($s->options(['renew' => true]));
$several->lock('plain_lock_ends-1');
$several->lock('plain_lock_ends-2');
echo 'several: ', $redis('DBSIZE');
unset($several);
echo ', ', $redis('DBSIZE'), "\n";

$lease = $take(false);
unset($lease);
echo 'lease: ', $held(), "\n";
--EXPECT--
unset: 0
assigned: 0
out of scope: 0
exception: 0
in a cycle: 1, collected: 0
several: 2, 0
lease: 1
