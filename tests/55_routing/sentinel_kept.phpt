--TEST--
Sentinel: a kept connection needs no asking, for other objects too; a new one does, and finds the new master
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/sentinel.inc';
$all = new Sentinels(1, 1);
$connections = function (Client $redis) {
	preg_match('/^total_connections_received:(\d+)/m', $redis('INFO', 'stats'), $m);
	return (int) $m[1];
};
$once = function () use ($all) {
	$lock = new RedisLock($all->options(['name' => 'sentinel_kept', 'persistent' => true]));
	return [$lock->acquire(), $lock->release()] === [true, true];
};
$sentinel = $all->ask($all->sentinels[0]);
$master = $all->client($all->servers[0]);
$before = [$connections($sentinel), $connections($master)];
var_dump($once(), $once(), $once());
/* The sentinel itself connects to nobody new by now. */
var_dump($connections($sentinel) - $before[0], $connections($master) - $before[1]);

$new = $all->client($all->failover());
var_dump($once(), $once());
preg_match('/cmdstat_set:calls=(\d+)/', $new('INFO', 'commandstats'), $m);
echo $m[1], " SET at the new master\n";
?>
--EXPECTF--
bool(true)
bool(true)
bool(true)
int(1)
int(1)
bool(true)
bool(true)
%d SET at the new master
