--TEST--
A waiter that is killed, process-bound or not, loses its place and costs nothing
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/waiting.inc';
$server = new Server();
$redis = $server->client();
foreach ([false, true] as $renew) {
	$holder = new RedisLock($server->options(['name' => 'killed']));
	$holder->acquire();
	$first = new Waiter($server->options(['name' => 'killed', 'renew' => $renew]));
	await_queue($redis, 1);
	$second = new Waiter($server->options(['name' => 'killed']));
	await_queue($redis, 2);
	$first->php->signal(SIGKILL);
	var_dump($first->php->end(), await_queue($redis, 1));
	$freed = now();
	$holder->release();
	expect_between('handed over', $second->got() - $freed, -1, WOKEN);
	var_dump($second->do('release'));

	/* And one that is killed at the very moment it is woken. */
	$holder->acquire();
	$first = new Waiter($server->options(['name' => 'killed', 'renew' => $renew]));
	await_queue($redis, 1);
	$second = new Waiter($server->options(['name' => 'killed']));
	await_queue($redis, 2);
	$freed = now();
	$holder->release();
	$first->php->signal(SIGKILL);
	$first->php->end();
	/* As a lease it may have got it for its ttl by then: that is what leases are. */
	if ($renew || $redis('EXISTS', 'killed') === 0) {
		$second->got();
		var_dump($second->do('release'));
	} else {
		$redis('DEL', 'killed');
		$second->php->signal(SIGKILL);
		var_dump(true);
	}
}
?>
--EXPECT--
array(1) {
  ["signal"]=>
  int(9)
}
bool(true)
handed over: ok
bool(true)
bool(true)
array(1) {
  ["signal"]=>
  int(9)
}
bool(true)
handed over: ok
bool(true)
bool(true)
