--TEST--
RedisLock::isAcquired(): a late yes takes nothing from the validity of a lock that was acquired; one in time tells of a shorter ttl
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
const LATE = 0.9;

/** The answer comes that late. What was left before, and is left then. */
function late(array $servers, RedisLock $lock): array
{
	$pids = implode(' ', array_map(fn ($server) => $server->pid, $servers));
	array_map(fn ($server) => $server->freeze(), $servers);
	$thaw = proc_open(['sh', '-c', 'sleep ' . LATE . "; kill -CONT $pids"], [], $pipes);
	[$before, $start] = [$lock->remaining(), now()];
	$yes = $lock->isAcquired();
	$passed = now() - $start;
	proc_close($thaw);
	return [$yes, $before - $passed, $lock->remaining()];
}

$one = [new Server];
$three = servers(3, false);
foreach (['one server' => [$one, $one[0]->options()], 'three servers' => [$three, ['servers' => addresses($three)]]] as $what => [$servers, $config]) {
	echo "$what\n";
	$redis = array_map(fn ($server) => $server->client(), $servers);
	$each = fn (string ...$command) => array_map(fn ($client) => $client(...$command), $redis);
	$config += ['name' => 'is_acquired_late', 'ttl' => 6];

	$lock = new RedisLock($config);
	$lock->acquire();
	[$yes, $expected, $left] = late($servers, $lock);
	var_dump($yes);
	expect_between('what was left is left', $left - $expected, -0.05, 0.05);

	/* Longer: taken over. */
	$each('PEXPIRE', 'is_acquired_late', '60000');
	var_dump($lock->isAcquired());
	expect_between('longer', $lock->remaining(), 50, 60);
	/* Shorter for certain: somebody else has shortened it. */
	$each('PEXPIRE', 'is_acquired_late', '8000');
	var_dump($lock->isAcquired());
	expect_between('shorter', $lock->remaining(), 5, 8);

	/* A restored one knows no other validity than what the server said first. */
	$token = $lock->getToken();
	$each('PEXPIRE', 'is_acquired_late', '8000');
	$restored = RedisLock::restore($config, 'is_acquired_late', $token);
	[$yes, , $left] = late($servers, $restored);
	var_dump($yes);
	expect_between('restored', $left, 8 - 3 * LATE - 1, 8 - 2 * LATE + 0.05);
	$lock->release();
}
?>
--EXPECT--
one server
bool(true)
what was left is left: ok
bool(true)
longer: ok
bool(true)
shorter: ok
bool(true)
restored: ok
three servers
bool(true)
what was left is left: ok
bool(true)
longer: ok
bool(true)
shorter: ok
bool(true)
restored: ok
