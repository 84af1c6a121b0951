--TEST--
Sentinel: who waits goes on waiting at the new master, and is woken there; who comes meanwhile waits for one
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
/* slow: it waits for failovers */
require __DIR__ . '/../inc/sentinel.inc';
require __DIR__ . '/../inc/waiting.inc';
$all = new Sentinels();
$options = $all->options(['name' => 'sentinel_waiting', 'ttl' => 60, 'interval' => 0.2]);
foreach (['killed', 'stepped down'] as $how) {
	$holder = new RedisLock(['renew' => true] + $options);
	var_dump($holder->acquire());
	no_checks($all->client($all->master()), 'sentinel_waiting');
	$waiters = [new Waiter($options, 90), new Waiter(['renew' => true] + $options, 90)];
	await_queue($all->client($all->master()), 2);
	$all->awaitCopies('sentinel_waiting');
	if ($how === 'killed') {
		$new = $all->client($all->kill(function () use (&$waiters, $options) {
			$waiters[] = new Waiter($options, 90);
		}));
	} else {
		$new = $all->client($all->failover());
	}
	await_queue($new, count($waiters));
	var_dump($holder->isHeld());
	var_dump($holder->release());
	$left = now(); /* what a busy machine took for the release itself is no delay of the next */
	/* Each in its turn, which is the order in which they came to the new master. */
	$order = [];
	while ($waiters) {
		wait_until(function () use ($new, $waiters, &$holding) {
			[, , $pid] = explode(':', $new('GET', 'sentinel_waiting') . '::::');
			$holding = array_search((int) $pid, array_map(fn ($w) => $w->php->pid, $waiters));
			return $holding !== false;
		}, 20);
		$got = $waiters[$holding]->got();
		$order[] = $got - $left < WOKEN ? 'woken' : sprintf('late by %.1f s', $got - $left);
		var_dump($waiters[$holding]->do('release'));
		$left = now();
		array_splice($waiters, $holding, 1);
	}
	echo "$how: ", implode(', ', $order), "\n";
}
var_dump($new('EXISTS', 'sentinel_waiting'));
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
killed: woken, woken, woken
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
stepped down: woken, woken
int(0)
