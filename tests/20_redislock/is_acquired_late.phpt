--TEST--
RedisLock::isAcquired(): a late yes takes nothing from the validity of a lock that was acquired; one in time tells of a shorter ttl
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
require_once __DIR__ . '/../inc/timing.inc';
const LATE = 0.9;

/** The answer comes that late. What it is, what is left then, what would be left without it, and how long it took. */
function late(array $servers, RedisLock $lock): array
{
	$pids = implode(' ', array_map(fn ($server) => $server->pid, $servers));
	array_map(fn ($server) => $server->freeze(), $servers);
	$thaw = proc_open(['sh', '-c', 'sleep ' . LATE . "; kill -CONT $pids"], [], $pipes);
	[$before, $start] = [$lock->remaining(), now()];
	[$yes, $left, $passed] = [$lock->isAcquired(), $lock->remaining(), now() - $start];
	proc_close($thaw);
	return [$yes, $left, $before - $passed, $passed];
}

$one = [new Server];
$three = servers(3, false);
foreach (['one server' => [$one, $one[0]->options(['timeout' => 5, 'read_timeout' => 5])], 'three servers' => [$three, ['servers' => addresses($three)]]] as $what => [$servers, $config]) {
	echo "$what\n";
	$redis = array_map(fn ($server) => $server->client(), $servers);
	$each = fn (string ...$command) => array_map(fn ($client) => $client(...$command), $redis);
	$config += ['name' => 'is_acquired_late', 'ttl' => 20];

	$lock = new RedisLock($config);
	$_ = $lock->acquire();
	$lock->isAcquired(); /* from then on the server knows the script, and is asked once */
	[$yes, $left, $expected] = unless_stalled(fn () => late($servers, $lock), fn (array $came) => abs($came[1] - $came[2]) < LATE / 2);
	var_dump($yes);
	expect_between('what was left is left', $left - $expected, -LATE / 2, LATE / 2);

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
	$start = now();
	$each('PEXPIRE', 'is_acquired_late', '20000');
	$restored = RedisLock::restore($config, 'is_acquired_late', $token);
	[$yes, $left, , $passed] = late($servers, $restored);
	var_dump($yes);
	expect_between('restored', $left, 19.5 - (now() - $start) - $passed, 20 - LATE - $passed);
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
