--TEST--
Cluster, the option token: what is under way at one node is known wherever the connection has led meanwhile
--EXTENSIONS--
posix
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
/* slow: six servers, time and again */
require __DIR__ . '/../inc/cluster.inc';
require_once __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../chaos/Proxy.php';

$all = new Cluster;
$proxy = new Proxy($all->ports[0]);
[$here, $there] = [$all->name('here', 0), $all->name('there', 1)];
$redis = $all->nodes[0]->client();
$redis('CONFIG', 'SET', 'cluster-announce-port', (string) $proxy->port);
$other = $all->nodes[1]->client();
wait_until(fn () => str_contains(json_encode($other('CLUSTER', 'SLOTS')), (string) $proxy->port), 10);
$options = ['cluster' => ["127.0.0.1:$proxy->port"], 'ttl' => 20, 'read_timeout' => 0.2];
$lock = new RedisLock(['ttl' => 5] + $options + ['name' => $here, 'token' => RedisLock::newToken()]);
$try = function (callable $do): mixed {
	try {
		return $do();
	} catch (RedisLock\ConnectionException) {
		return null;
	}
};
$redis('CONFIG', 'RESETSTAT');
$proxy->tell('delay 1000');
var_dump($try(fn () => $lock->acquire()));
/* From here on others overtake what was sent. */
$proxy->tell('delay 0');
var_dump(comes_true(fn () => $try(fn () => $lock->lock($there, 0, ['token' => null])) === true),
	is_released(fn () => $lock->unlock($there), fn () => $other('EXISTS', $there) === 0));
wait_until(fn () => $try(fn () => $lock->acquire()) === true, 20);
/* Whatever was sent amid the delay of a second has arrived or never will by then. */
var_dump($lock->isHeld(), stays_true(fn () => $redis('GET', $here) === $lock->getToken(), 1.5));
?>
--EXPECT--
NULL
bool(true)
bool(true)
bool(true)
bool(true)
