--TEST--
Cluster: while a slot is on the move there is one holder, and every operation ends
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
/* slow: six servers, and waits that end in time */
require __DIR__ . '/../inc/cluster.inc';
require __DIR__ . '/../inc/waiting.inc';
$all = new Cluster();
$others = fn (string $name) => array_map(fn ($seed) => new RedisLock($all->options(['name' => $name, 'ttl' => 30], [$seed])), [0, 1, 2, 4]);
/* How many of some others, who begin at different nodes, get it. */
$gotten = fn (string $name) => count(array_filter($others($name), fn ($lock) => $lock->acquire()));
$print = function (string $what, array $done) {
	echo "$what: ", implode(' ', array_map(fn ($v) => is_bool($v) ? (int) $v : $v, $done)), "\n";
};
/* Only a renewal lengthens it, on whichever of the two nodes it is. */
function await_renewal(Cluster $all, string $name): void
{
	comes_true(function () use ($all, $name, &$before) {
		$ttl = array_map(function (int $node) use ($all, $name) {
			$redis = $all->nodes[$node]->client();
			$node === 1 && $redis('ASKING');
			return (int) $redis('PTTL', $name);
		}, [0, 1]);
		[$less, $before] = [$before ?? INF, max($ttl)];
		return $before > $less;
	}) || exit("not renewed\n");
}

foreach (['stays', 'goes along', 'goes when held', 'is none'] as $n => $key) {
	$name = $all->name("cluster_moving_$n", 0);
	$slot = $all->slot($name);
	$options = $all->options(['name' => $name, 'ttl' => 30, 'retry_ms' => 50], [1]);
	$lock = new RedisLock($options);
	if ($key !== 'is none') {
		$_ = $lock->acquire();
	}
	$all->beginMove($slot, 0, 1);
	if ($key === 'goes along') {
		$all->moveKeys(0, 1, $name);
	}
	if ($key === 'is none') {
		$_ = $lock->acquire();
	}
	$print("the key $key", [$lock->isAcquired(), $lock->keepAlive(30), $gotten($name), $lock->holder()['token'] === $lock->getToken()]);
	$waiter = new Waiter($options, 20);
	$bound = new Waiter(['renew' => true, 'ttl' => 6, 'interval' => 0.2] + $options, 20);
	pause(0.3, 'nobody blocks here: they look again and again');
	if ($key === 'goes when held') {
		$all->moveKeys(0, 1, $name);
	}
	$left = now();
	$done = [$lock->release(), $lock->release()];
	$waiters = ['lease' => $waiter, 'bound' => $bound];
	while ($waiters) {
		$holding = null;
		comes_true(function () use ($all, $name, $waiters, &$holding) {
			foreach ([0, 1] as $node) {
				$redis = $all->nodes[$node]->client();
				$node === 1 && $redis('ASKING');
				[, , $pid] = explode(':', $redis('GET', $name) . '::::');
				foreach ($waiters as $which => $waiter) {
					$holding = $waiter->php->pid === (int) $pid ? $which : $holding;
				}
			}
			return $holding !== null;
		}) || exit("nobody has it\n");
		$done[] = taken($left, $waiters[$holding]->got()) < 1;
		$done[] = $gotten($name);
		if ($holding === 'bound') {
			await_renewal($all, $name);
			$done[] = $waiters[$holding]->do('held') && $waiters[$holding]->do('remaining') > 5;
		}
		$left = now();
		$done[] = $waiters[$holding]->do('release');
		unset($waiters[$holding]);
	}
	sort($done);
	$print('released and waited for', $done);

	/* The child gives it back when its parent dies. */
	$holder = new Waiter(['renew' => true] + $options, 5);
	$holder->got();
	$holder->php->signal(SIGKILL);
	$print('free after a death', [(new RedisLock($options))->acquire(5), $gotten($name)]);
	(new RedisLock($options))->forceRelease();

	$lock = new RedisLock(['renew' => true, 'interval' => 0.2, 'ttl' => 6] + $options);
	$_ = $lock->acquire();
	$all->endMove($slot, 0, 1);
	await_renewal($all, $name);
	$print('held through the end of it', [$lock->isHeld(), $lock->remaining() > 5, $gotten($name), $lock->release()]);
	$all->beginMove($slot, 1, 0);
	$all->endMove($slot, 1, 0);
}

echo "the lock goes while somebody blocks, who has no time left to follow\n";
$name = $all->name('cluster_moving_late', 0);
$lock = new RedisLock($all->options(['name' => $name, 'ttl' => 30]));
$_ = $lock->acquire();
$waiter = new Waiter($all->options(['name' => $name, 'ttl' => 30]), 1.5);
await_queue($all->nodes[0]->client(), 1);
$all->beginMove($all->slot($name), 0, 1);
$all->moveKeys(0, 1, $name, "{{$name}}:rlk:waiters");
$waiter->php->signal(SIGSTOP);
await_queue($all->nodes[0]->client(), 0);
$waiter->php->signal(SIGCONT);
echo substr($waiter->php->line(), 0, 3), "\n";
$all->endMove($all->slot($name), 0, 1);
var_dump($lock->release());

echo "a script finds its keys on two nodes\n";
$name = $all->name('cluster_moving_split', 0);
$lock = new RedisLock($all->options(['name' => $name, 'ttl' => 30]));
$_ = $lock->acquire();
$waiter = new Waiter($all->options(['name' => $name, 'ttl' => 30]), 20);
await_queue($all->nodes[0]->client(), 1);
$all->beginMove($all->slot($name), 0, 1);
/* The waiters key stays, the lock goes. */
$all->moveKeys(0, 1, $name);
$split = ['EVAL', 'return 1', 2, $name, "{{$name}}:rlk:waiters"];
$said = $all->nodes[0]->client()(...$split);
if (str_starts_with($said, '-ASK ')) { /* as before Redis 7: it is the other node that says it */
	$other = $all->nodes[1]->client();
	$other('ASKING');
	$said = $other(...$split);
}
var_dump($said);
$left = now();
var_dump($lock->holder()['token'] === $lock->getToken(), $lock->release(), taken($left, $waiter->got()) < 6, $gotten($name), $waiter->do('release'));
?>
--EXPECT--
the key stays: 1 1 0 1
released and waited for: 0 0 0 1 1 1 1 1 1
free after a death: 1 0
held through the end of it: 1 1 0 1
the key goes along: 1 1 0 1
released and waited for: 0 0 0 1 1 1 1 1 1
free after a death: 1 0
held through the end of it: 1 1 0 1
the key goes when held: 1 1 0 1
released and waited for: 0 0 0 1 1 1 1 1 1
free after a death: 1 0
held through the end of it: 1 1 0 1
the key is none: 1 1 0 1
released and waited for: 0 0 0 1 1 1 1 1 1
free after a death: 1 0
held through the end of it: 1 1 0 1
the lock goes while somebody blocks, who has no time left to follow
no 
bool(true)
a script finds its keys on two nodes
string(56) "-TRYAGAIN Multiple keys request during rehashing of slot"
bool(true)
bool(true)
bool(true)
int(0)
bool(true)
