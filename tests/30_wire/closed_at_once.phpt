--TEST--
A connection that the server closes within a millisecond of its last use: acquisitions go over a new one, releases say the truth
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
$server = new Server(true);
$redis = $server->client();
$cut = fn () => kill_clients($redis);
foreach (['unix' => false, 'TCP' => true] as $name => $tcp) {
	$options = $server->options(['name' => 'closed_at_once', 'persistent' => true], $tcp);
	$said = [];
	for ($i = 0; $i < 20; $i++) {
		$lock = new RedisLock($options);
		$lock->acquire() && $lock->release();
		unset($lock);
		$cut();
		$lock = new RedisLock($options);
		$said[] = outcome(fn () => $lock->acquire() && $redis('GET', 'closed_at_once') === $lock->getToken() && $lock->release());
	}
	echo "$name, from the pool: ", implode(', ', array_unique($said)), "\n";
	foreach ([[], ['renew' => true, 'on_lost' => 'flag'], ['hold_at_least' => 30]] as $more) {
		$answers = [];
		/* It was ours until the end, or another has it, or nobody. */
		foreach (['mine' => null, 'set' => ['SET', 'closed_at_once', 'other'], 'deleted' => ['DEL', 'closed_at_once']] as $case => $command) {
			for ($i = 0; $i < 20; $i++) {
				$lock = new RedisLock($more + $options);
				$_ = $lock->acquire();
				$command && $redis(...$command);
				$cut();
				$answers["$case: " . preg_replace('/ \(.*/', '', outcome(fn () => $lock->release()))] = true;
				unset($lock);
				$redis('DEL', 'closed_at_once');
			}
		}
		echo "$name, ", json_encode($more), ': ', implode(', ', array_keys($answers)), "\n";
	}
}
?>
--EXPECT--
unix, from the pool: true
unix, []: mine: true, set: false, deleted: false
unix, {"renew":true,"on_lost":"flag"}: mine: true, set: false, deleted: false
unix, {"hold_at_least":30}: mine: true, set: false, deleted: false
TCP, from the pool: true
TCP, []: mine: true, set: false, deleted: false
TCP, {"renew":true,"on_lost":"flag"}: mine: true, set: false, deleted: false
TCP, {"hold_at_least":30}: mine: true, set: false, deleted: false
