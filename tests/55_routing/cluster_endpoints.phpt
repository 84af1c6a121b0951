--TEST--
Cluster: nodes that name each other by address, by host name, or by port alone
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server_knows_names('7.0'); ?>
--FILE--
<?php
require __DIR__ . '/../inc/cluster.inc';
$all = new Cluster('--cluster-announce-hostname', 'localhost');
$name = $all->name('cluster_endpoints', 0);
$slot = $all->slot($name);
foreach (['ip', 'hostname', 'unknown-endpoint'] as $kind) {
	foreach ($all->nodes as $node) {
		$node->client()('CONFIG', 'SET', 'cluster-preferred-endpoint-type', $kind);
	}
	/* Who announces a name is known by it once the others have heard of it. */
	wait_until(function () use ($all, $name, $kind, &$said) {
		preg_match('/^-MOVED \d+ (.*):\d+$/', $all->nodes[1]->client()('GET', $name), $m);
		$said = $m[1];
		return $said === ['ip' => '127.0.0.1', 'hostname' => 'localhost', 'unknown-endpoint' => ''][$kind];
	});
	echo "$kind: \"$said\"\n";
	$lock = new RedisLock($all->options(['name' => $name, 'ttl' => 30, 'interval' => 0.2, 'renew' => true], [1]));
	var_dump($lock->acquire());
	/* The child has to follow, and its parent, if need be, to resolve. */
	$all->beginMove($slot, 0, 2);
	$all->endMove($slot, 0, 2);
	var_dump(is_renewed($all->nodes[2]->client(), $name), $lock->isHeld(), $lock->release());
	$all->beginMove($slot, 2, 0);
	$all->endMove($slot, 2, 0);
}
?>
--EXPECT--
ip: "127.0.0.1"
bool(true)
bool(true)
bool(true)
bool(true)
hostname: "localhost"
bool(true)
bool(true)
bool(true)
bool(true)
unknown-endpoint: ""
bool(true)
bool(true)
bool(true)
bool(true)
