--TEST--
Cluster: the rights that docs/operate/operations.md names are enough while a slot is moved, and +asking is needed for that
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/cluster.inc';
require __DIR__ . '/../inc/outcome.inc';
$all = new Cluster();
preg_match('/^    ACL SETUSER lock (.*)$/m', $text = file_get_contents(__DIR__ . '/../../docs/operate/operations.md'), $rule);
preg_match('/^\| `(\S+)` \| a Cluster \|$/m', $text, $added);
$rules = explode(' ', server_is_before('6.2') ? str_replace('+copy', '+ltrim', $rule[1]) : $rule[1]);
foreach ($all->nodes as $node) {
	$redis = $node->client();
	$redis('ACL', 'SETUSER', 'less', ...$rules);
	$redis('ACL', 'SETUSER', 'lock', ...$rules, ...[$added[1]]);
}
$says = fn (callable $do) => preg_replace('/127\S+/', 'N', outcome($do));
foreach (['lock', 'less'] as $user) {
	$name = $all->name("app:cluster_rights_$user", 0);
	$lock = new RedisLock($all->options(['name' => $name, 'ttl' => 30, 'auth' => [$user, 'password']], [1]));
	$other = new RedisLock($all->options(['name' => $name]));
	/* Not there yet, so it is to be taken where the slot goes. */
	$all->beginMove($all->slot($name), 0, 1);
	echo "$user: ", $says($lock->acquire(...)), "\n";
	echo json_encode([$lock->isHeld() && $lock->keepAlive() && $lock->isAcquired(), $other->acquire(), $lock->release()]), "\n";
	$other->release();
	$all->endMove($all->slot($name), 0, 1);
}
?>
--EXPECTF--
lock: true
[true,false,true]
less: RedisLock\ConnectionException: lock "app:cluster_rights_less%d": the server answered: %r(MOVED|ASK)%r %d N (tcp://N
[false,true,false]
