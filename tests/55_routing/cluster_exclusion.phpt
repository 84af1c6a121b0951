--TEST--
Cluster: never two inside while the slot goes to and fro under those who take, wait for and keep the lock
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
/* slow: a slot goes to and fro for seconds */
require __DIR__ . '/../inc/cluster.inc';
draw_the_same();
$all = new Cluster();
$name = $all->name('cluster_exclusion', 0);
$slot = $all->slot($name);
$inside = $all->nodes[0]->dir . '/inside';
$workers = array_map(fn ($n) => Php::program(__DIR__ . '/cluster_exclusion.inc', [base64_encode(serialize([$all->options(['name' => $name, 'ttl' => 8, 'retry_ms' => 20, 'renew' => $n % 2 === 1,
		'interval' => 0.1], [$n % 3]), $inside]))]), range(0, 3));
foreach ($workers as $worker) {
	$worker->await('ready');
}
$helpers = ["{{$name}}:rlk:waiters", "{{$name}}:rlk:signal"];
for ($end = now() + 6, $at = 0; now() < $end; $at = 1 - $at) {
	pause(0.2, 'the lock changes hands at one node');
	$all->beginMove($slot, $at, 1 - $at);
	pause(0.3, 'and while the slot moves');
	/* One key, then the others, so that each is alone somewhere. */
	$keys = [$name, ...$helpers];
	shuffle($keys);
	foreach ($keys as $key) {
		$all->nodes[$at]->client()('MIGRATE', '127.0.0.1', $all->ports[1 - $at], $key, 0, 5000);
		usleep(mt_rand(0, 100000));
	}
	$all->endMove($slot, $at, 1 - $at);
}
foreach ($workers as $worker) {
	$worker->tell('end');
}
foreach ($workers as $worker) {
	echo $worker->rest();
}
?>
--EXPECT--
enough
enough
enough
enough
