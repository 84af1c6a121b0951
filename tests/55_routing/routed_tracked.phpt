--TEST--
Sentinel and Cluster: the server that has the key tells of a loss at once, wherever the key is by then
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
server_is_before('6.0') && die('skip this server has no client-side tracking');
?>
--FILE--
<?php
require __DIR__ . '/../inc/sentinel.inc';
require __DIR__ . '/../inc/cluster.inc';
require __DIR__ . '/../inc/tracked.inc';

$all = new Sentinels(1, 1);
$redis = $all->client($all->master());
$lock = tracked_lock($redis, $all->options(['name' => 'routed_tracked']));
echo 'Sentinel: ', told_of_loss(fn () => $redis('DEL', 'routed_tracked')), "\n";

$cluster = new Cluster;
$name = $cluster->name('routed_tracked', 0);
$lock = tracked_lock($cluster->client($name), $cluster->options(['name' => $name]));
echo 'Cluster: ', told_of_loss(fn () => $cluster->client($name)('DEL', $name)), "\n";

/* A key that moves is deleted where it was, which is no loss. */
$name = $cluster->name('moved', 1);
$lock = tracked_lock($cluster->client($name), $cluster->options(['name' => $name]));
$there = $cluster->nodes[2]->client();
$before = tracked_keys($there);
$slot = $cluster->slot($name);
$cluster->beginMove($slot, 1, 2);
$cluster->moveKeys(1, 2, $name);
$cluster->endMove($slot, 1, 2);
wait_until(fn () => tracked_keys($there) > $before);
var_dump($lock->isHeld());
echo 'where it has moved to: ', told_of_loss(fn () => $there('DEL', $name)), "\n";
?>
--EXPECT--
Sentinel: told
Cluster: told
bool(true)
where it has moved to: told
