--TEST--
A silent server: every call ends within the time limit, and nothing stays locked
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/timing.inc';
$server = new Server(true);
$redis = $server->client();
foreach ([false, true] as $tcp) {
	/* Once on a fresh connection, once on a kept one. */
	$fresh = new RedisLock($server->options(['name' => 'silent:fresh', 'read_timeout' => 0.6, 'timeout' => 0.6], $tcp));
	$kept = new RedisLock($server->options(['name' => 'silent:kept', 'read_timeout' => 0.6, 'timeout' => 0.6,
		'fence' => true], $tcp));
	$held = new RedisLock($server->options(['name' => 'silent:held', 'read_timeout' => 0.6, 'timeout' => 0.6], $tcp));
	$_ = $kept->acquire();
	$kept->release();
	$_ = $held->acquire();
	$redis('CONFIG', 'RESETSTAT');
	$server->freeze();
	$times = [];
	foreach ([fn () => $fresh->acquire(), fn () => $kept->acquire(), fn () => $held->isAcquired(),
		fn () => $held->keepAlive(),
		fn () => $held->holder(), fn () => $held->release(), fn () => $fresh->acquire(5),
			fn () => $kept->lock('silent:3')] as $call) {
		$start = now();
		echo outcome($call), "\n";
		$times[] = taken($start, null, 0.595);
	}
	expect_between('shortest', min($times), 0.595, 0.63);
	expect_between('longest', max($times), 0.595, 0.65);
	$server->thaw();
	/* What was sent runs now; behind it, on the same connections, the releases. Their count tells when all has run. */
	$ran = fn (string $command) => preg_match("/cmdstat_$command:calls=(\d+)/", $redis('INFO', 'commandstats'), $m) ?
		(int) $m[1] : 0;
	echo comes_true(fn () => $ran('eval') >= 4) ? '' : "releases did not run\n";
	echo 'late tries: ', $ran('set') >= 2 ? 'ran' : 'did not run', "\n";
	echo comes_true(fn () => array_diff($redis('KEYS', '*'), ['{silent:kept}:rlk:fence',
		'{silent:3}:rlk:fence']) === []) ?
		'nothing' : implode(' ', $redis('KEYS', '*')), " stays locked\n";
	var_dump($fresh->acquire(), $kept->acquire(), $fresh->release(), $kept->release());
}
?>
--EXPECTF--
RedisLock\ConnectionException: lock "silent:fresh": the server did not answer in time (unix://%s)
RedisLock\ConnectionException: lock "silent:kept": the server did not answer in time (unix://%s)
RedisLock\ConnectionException: lock "silent:held": the server did not answer in time (unix://%s)
RedisLock\ConnectionException: lock "silent:held": the server did not answer in time (unix://%s)
RedisLock\ConnectionException: lock "silent:held": the server did not answer in time (unix://%s)
RedisLock\ConnectionException: lock "silent:held": the server did not answer in time (unix://%s)
RedisLock\ConnectionException: lock "silent:fresh": the server did not answer in time (unix://%s)
RedisLock\ConnectionException: lock "silent:3": the server did not answer in time (unix://%s)
shortest: ok
longest: ok
late tries: ran
nothing stays locked
bool(true)
bool(true)
bool(true)
bool(true)
RedisLock\ConnectionException: lock "silent:fresh": the server did not answer in time (tcp://127.0.0.1:%d)
RedisLock\ConnectionException: lock "silent:kept": the server did not answer in time (tcp://127.0.0.1:%d)
RedisLock\ConnectionException: lock "silent:held": the server did not answer in time (tcp://127.0.0.1:%d)
RedisLock\ConnectionException: lock "silent:held": the server did not answer in time (tcp://127.0.0.1:%d)
RedisLock\ConnectionException: lock "silent:held": the server did not answer in time (tcp://127.0.0.1:%d)
RedisLock\ConnectionException: lock "silent:held": the server did not answer in time (tcp://127.0.0.1:%d)
RedisLock\ConnectionException: lock "silent:fresh": the server did not answer in time (tcp://127.0.0.1:%d)
RedisLock\ConnectionException: lock "silent:3": the server did not answer in time (tcp://127.0.0.1:%d)
shortest: ok
longest: ok
late tries: ran
nothing stays locked
bool(true)
bool(true)
bool(true)
bool(true)
