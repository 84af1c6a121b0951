--TEST--
A waiter is woken by whatever ends the lock: release, force, death, expiry, deletion
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
$bound = fn (array $more = []) => new Php('$lock = new RedisLock(unserialize(base64_decode($argv[1])) + ["renew" => true]);
	$_ = $lock->acquire();
	echo "held\n";
	try {
		sleep(60);
	} catch (RedisLock\LockLostException) {
	}', [base64_encode(serialize($server->options($more + ['name' => 'job', 'ttl' => 30])))]);
$hold = function (array $more = []) use ($server) {
	$lock = new RedisLock($server->options($more + ['name' => 'job', 'ttl' => 30]));
	$_ = $lock->acquire();
	return $lock;
};
/* Each begins to hold the lock and returns what ends it, if that is not time alone. */
$ends = [
	'release' => fn () => ($lock = $hold())->release(...),
	'release, process-bound' => fn () => ($lock = $hold(['renew' => true]))->release(...),
	'end of the object' => function () use ($hold) {
		$lock = $hold(['renew' => true]);
		return function () use (&$lock) { $lock = null; };
	},
	'forceRelease() by somebody else' => function () use ($hold, $server) {
		$hold();
		return (new RedisLock($server->options(['name' => 'job'])))->forceRelease(...);
	},
	'SIGKILL of the holder' => function () use ($bound) {
		$php = $bound();
		$php->await('held');
		return fn () => $php->signal(SIGKILL);
	},
	'SIGTERM of the holder' => function () use ($bound) {
		$php = $bound();
		$php->await('held');
		return fn () => $php->signal(SIGTERM);
	},
	'deletion under a renewed lock' => function () use ($bound, $redis) {
		$php = $bound(['interval' => 0.1]);
		$php->await('held');
		return fn () => [$redis('DEL', 'job'), $php];
	},
	'expiry of a lease' => fn () => [$hold(['ttl' => 2]), null][1],
	'end of a rest' => fn () => ($lock = $hold(['hold_at_least' => 2]))->release(...),
	'expiry of a foreign lock' => fn () => [$redis('SET', 'job', 'other', 'PX', 2000), null][1],
];
$lasts = ['expiry of a lease' => 2, 'end of a rest' => 2, 'expiry of a foreign lock' => 2];
foreach ($ends as $name => $begin) {
	/* The end of a lease is for looks to see. */
	$name === 'expiry of a lease' ? $redis('DEL', '{job}:rlk:waiters') : no_checks($redis, 'job');
	$began = now();
	$end = $begin();
	$waiter = new Waiter($server->options(['name' => 'job', 'ttl' => 30]));
	/* For what ends by itself, a waiter who is slow to begin comes too late to stand in the queue. */
	if ($end) {
		await_queue($redis, 1);
	}
	$ended = max($end ? now() : 0, $began + ($lasts[$name] ?? 0));
	$end && $end();
	$got = $waiter->got();
	expect_taken($name, $ended, -1, WOKEN, $got);
	if (($released = $waiter->do('release')) !== true) {
		var_dump($released);
	}
	$end = null;
}
?>
--EXPECT--
release: ok
release, process-bound: ok
end of the object: ok
forceRelease() by somebody else: ok
SIGKILL of the holder: ok
SIGTERM of the holder: ok
deletion under a renewed lock: ok
expiry of a lease: ok
end of a rest: ok
expiry of a foreign lock: ok
