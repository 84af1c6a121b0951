--TEST--
Cluster: users whom it refuses scripts find their keys, too, also when these have gone elsewhere
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/cluster.inc';
require __DIR__ . '/../inc/outcome.inc';
$all = new Cluster();
foreach ($all->nodes as $node) {
	$node->client()('ACL', 'SETUSER', 'plain', 'on', '>pw', '~*', '+@all', '-eval', '-evalsha');
}
$name = $all->name('cluster_scriptless', 0);
$slot = $all->slot($name);
$move = function (int $from, int $to) use ($all, $slot) {
	$all->beginMove($slot, $from, $to);
	$all->endMove($slot, $from, $to);
};
$make = fn (int $seed, array $more = []) => new RedisLock($all->options($more + ['name' => $name, 'ttl' => 30, 'auth' => ['plain', 'pw']], [$seed]));
$says = fn (callable $do) => preg_replace('/127\S+/', 'N', outcome($do));

/* Servers of today have a command that compares; older ones hand out no lock. */
if (array_filter($all->nodes[0]->client()('COMMAND', 'INFO', 'delex', 'delifeq')) === []) {
	var_dump(str_contains($says($make(0)->acquire(...)), 'neither DELEX nor DELIFEQ'));
	exit;
}
/* Found by MOVED, and released there. */
foreach ([0, 1, 2] as $seed) {
	$lock = $make($seed);
	echo $says($lock->acquire(...)), ' ', $says($lock->isAcquired(...)), ' ', $says($lock->keepAlive(...)), ' ', $says($lock->release(...)), "\n";
}
/* Gone elsewhere while it is held. */
foreach (['isAcquired', 'keepAlive', 'release', 'holder', 'forceRelease'] as $i => $method) {
	$lock = $make(1);
	$lock->acquire();
	$at = $all->owner($name);
	$move($at, $at === 0 ? 2 : 0);
	echo "$method: ", $says(fn () => is_array($done = $lock->$method()) ? 'array' : $done), "\n";
	$lock->release();
	var_dump($all->client($name)('GET', $name));
}
?>
--EXPECTREGEX--
(bool\(true\)|true true true true
true true true true
true true true true
isAcquired: true
NULL
keepAlive: true
NULL
release: true
NULL
holder: 'array'
NULL
forceRelease: true
NULL)
