--TEST--
permits, shared: renewed while the process lives, freed when it is killed, kept by linger and hold_at_least
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$code = '
[, $options] = $argv;
$lock = new RedisLock(json_decode($options, true));
$_ = $lock->acquire();
echo "in\n";
fgets(STDIN);
';
$start = function (array $options) use ($server, $code) {
	$php = new Php($code, [json_encode($server->options($options + ['name' => 'bound', 'renew' => true]))]);
	$php->await('in');
	return $php;
};

/* Renewed: a member has its own end, and it moves on. */
$ends = fn () => array_map(intval(...), array_values(array_filter($redis('ZRANGE', 'bound', 0, -1, 'WITHSCORES'), is_numeric(...))));
foreach ([['permits' => 3, 'weight' => 2], ['shared' => true]] as $kind) {
	echo json_encode($kind), "\n";
	$php = $start($kind + ['ttl' => 30, 'interval' => 0.1]);
	$before = $ends();
	step('members', count($before), count(array_unique($before)));
	step('renewed', comes_true(fn () => min($ends()) > max($before)), count(array_unique($ends())));
	$a = new RedisLock($server->options(['name' => 'bound'] + (isset($kind['permits']) ? ['weight' => 1] : []) + $kind));
	step('held by others as well', $a->acquire());
	$php->signal(SIGKILL);
	step('killed, and freed', comes_true(fn () => $redis('ZCARD', 'bound') === 1), $a->isAcquired(), $a->release(), $redis('EXISTS', 'bound'));

	$php = $start($kind + ['linger' => 20]);
	$php->signal(SIGKILL);
	step('kept by linger', comes_true(fn () => str_ends_with($redis('ZRANGE', 'bound', 0, 0)[0], ':done')),
		$a->holder()['resting'], $a->holder()['ttl'] < 21, $redis('ZCARD', 'bound'));
	$redis('DEL', 'bound');

	$kept = new RedisLock($server->options($kind + ['name' => 'bound', 'hold_at_least' => 20, 'ttl' => 10]));
	step('kept by hold_at_least', $kept->acquire(), $kept->release(), $a->holder()['resting'], $a->holder()['ttl'] > 10, $redis('PTTL', 'bound') > 10_000);
	$redis('DEL', 'bound');

	/* The last reference goes: at once. */
	$bound = new RedisLock($server->options($kind + ['name' => 'bound', 'renew' => true]));
	step('until its end', $bound->acquire(), $bound->isHeld());
	unset($bound);
	step('left', $redis('KEYS', '*'));
}

/* Lost: somebody has ended its hold. */
$php = new Php('
$lock = new RedisLock(json_decode($argv[1], true));
try {
	$lock->synchronized(function () {
		echo "in\n";
		while (true) {
			usleep(1000);
		}
	});
} catch (RedisLock\LockLostException $e) {
	echo "lost\n";
}', [json_encode($server->options(['name' => 'bound', 'permits' => 2, 'ttl' => 30, 'interval' => 0.1]))]);
$php->await('in');
$operator = new RedisLock($server->options(['name' => 'bound']));
step('ended by force', $operator->forceRelease($operator->holder()['token']));
$php->await('lost');
$php->end();
?>
--EXPECT--
{"permits":3,"weight":2}
members: 2, 1
renewed: true, 1
held by others as well: true
killed, and freed: true, true, true, 0
kept by linger: true, true, true, 2
kept by hold_at_least: true, true, true, true, true
until its end: true, true
left: array (
)
{"shared":true}
members: 1, 1
renewed: true, 1
held by others as well: true
killed, and freed: true, true, true, 0
kept by linger: true, true, true, 1
kept by hold_at_least: true, true, true, true, true
until its end: true, true
left: array (
)
ended by force: true
