--TEST--
A waiter that is killed, process-bound or not, loses its place, and costs no more than the provisional ttl
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
$checks = fn () => preg_match('/cmdstat_pttl:calls=(\d+)/', $redis('INFO', 'commandstats'), $m) ? (int) $m[1] : 0;
$children = [];
foreach ([false, true] as $renew) {
	no_checks($redis, 'killed');
	$holder = new RedisLock($server->options(['name' => 'killed']));
	$_ = $holder->acquire();
	$first = new Waiter($server->options(['name' => 'killed', 'renew' => $renew]));
	await_queue($redis, 1);
	$second = new Waiter($server->options(['name' => 'killed']));
	await_queue($redis, 2);
	array_push($children, ...renewal_children($first->php->pid));
	$first->php->signal(SIGKILL);
	var_dump($first->php->end());
	await_queue($redis, 1);
	$freed = now();
	$holder->release();
	expect_taken('handed over', $freed, -1, WOKEN, $second->got());
	var_dump($second->do('release'));

	/* And one that is killed at the very moment it is woken: the server has let it have the lock, it does not know. */
	$redis('DEL', '{killed}:rlk:waiters');
	$_ = $holder->acquire();
	$first = new Waiter($server->options(['name' => 'killed', 'renew' => $renew]));
	await_queue($redis, 1);
	$second = new Waiter($server->options(['name' => 'killed']));
	await_queue($redis, 2);
	$first->php->signal(SIGSTOP);
	if (!$renew) {
		$before = $checks();
		wait_until(fn () => $checks() > $before);
		pause(0.4, 'the provisional ttl is to end amid two of the checks that come each second: 0.6 s before the next');
	}
	$freed = now();
	$holder->release();
	await_queue($redis, 1);
	$first->php->signal(SIGKILL);
	$first->php->end();
	/* The renewal child of a process-bound lock knows what to release. */
	expect_taken('killed with the lock', $freed, $renew ? 0 : 1.9, $renew ? PROVISIONAL_MARGIN : 2.5, $second->got());
	var_dump($second->do('release'));
}
/* They look for 5 s whether the server was still to read something, and not until the ttl is over. */
wait_until(fn () => array_filter($children, is_running(...)) === [], 15);
?>
--EXPECT--
array(1) {
  ["signal"]=>
  int(9)
}
handed over: ok
bool(true)
killed with the lock: ok
bool(true)
array(1) {
  ["signal"]=>
  int(9)
}
handed over: ok
bool(true)
killed with the lock: ok
bool(true)
