--TEST--
permits, shared: a wait that ends, however it ends, keeps nobody out
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--CONFLICTS--
all
--FILE--
<?php
require __DIR__ . '/../inc/waiting.inc';
$server = new Server();
$shared = ['shared' => true];
$make = fn (array $kind) => new RedisLock($server->options($kind + ['name' => 'turnstile_ends']));
/** How long until it gets in, by trying. */
$get = function (RedisLock $lock) {
	$from = now();
	wait_until(fn () => $lock->acquire());
	$taken = taken($from);
	$lock->release();
	return $taken;
};
/** Waits for a moment, in vain. The server of a busy machine may not even answer meanwhile. */
$in_vain = function (callable $wait) {
	try {
		return $wait(0.02);
	} catch (RedisLock\ConnectionException) {
		return false;
	}
};
pcntl_async_signals(true);
pcntl_signal(SIGUSR1, fn () => throw new DomainException());

/* What others may find closed afterwards is the turnstile, which ends by itself after 2 s. */
$kinds = [
	'a reader behind a writer' => [[], $shared],
	'a writer behind a reader' => [$shared, []],
	'a weight' => [['permits' => 3], ['permits' => 3, 'weight' => 3]],
];
foreach ($kinds as $name => [$first, $second]) {
	expect_within("$name waits in vain", 0.5, function () use ($make, $get, $in_vain, $first, $second) {
		[$holder, $waiter, $next] = [$make($first), $make($second), $make($second)];
		$_ = $holder->acquire();
		$in_vain($waiter->acquire(...));
		unset($waiter);
		$holder->release();
		return $get($next);
	}, 30);
	expect_within("$name waits, and again at once", 1.0, function () use ($make, $get, $in_vain, $first, $second) {
		[$holder, $waiter, $next] = [$make($first), $make($second), $make($second)];
		$_ = $holder->acquire();
		$_ = $in_vain($waiter->acquire(...)) || $in_vain($waiter->acquire(...));
		$holder->release();
		return $get($next);
	}, 30);
	expect_within("$name is interrupted", 0.5, function () use ($server, $make, $get, $first, $second) {
		[$holder, $waiter, $next] = [$make($first), $make($second), $make($second)];
		$_ = $holder->acquire();
		$other = new Php('posix_kill((int) $argv[1], SIGUSR1);', [(string) getmypid()]);
		try {
			$_ = $waiter->acquire(INF);
		} catch (DomainException) {
		}
		unset($waiter);
		$holder->release();
		$other->end();
		return $get($next);
	}, 5);
}

/* Killed, as the first of the line or as the second: the release that leaves nobody inside finds out. */
$start = function (array $kind, int $place) use ($server) {
	$waiter = new Waiter($server->options($kind + ['name' => 'turnstile_ends']));
	await_queue($server->client(), $place);
	/* Who has the turnstile has blocked for 10 ms. */
	wait_until(fn () => $server->client()('PTTL', '{turnstile_ends}:rlk:turn') < 1990);
	return $waiter;
};
foreach ($kinds as $name => [$first, $second]) {
	foreach ([[0], [0, 1]] as $which) {
		[$holder, $next] = [$make($first), $make($second)];
		$_ = $holder->acquire();
		[$killed, $waits] = [[$start($second, 1), $start($second, 2)], $start($second, 3)];
		array_map(fn (int $i) => [$killed[$i]->php->signal(SIGKILL), $killed[$i]->php->end()], $which);
		await_queue($server->client(), 3 - count($which));
		$freed = now();
		$holder->release();
		$which === [0] && [$killed[1]->got(), $killed[1]->do('release')];
		expect_taken("$name is killed, and the next one waits", $freed, -1, 0.5, $waits->got());
		$waits->do('release');
		unset($killed, $waits);
	}
	$_ = $holder->acquire();
	$killed = $start($second, 1);
	$killed->php->signal(SIGKILL);
	$killed->php->end();
	await_queue($server->client(), 0);
	$holder->release();
	expect_within("$name is killed, and somebody comes", 0.5, fn () => $get($next), 1);
}
?>
--EXPECT--
a reader behind a writer waits in vain: ok
a reader behind a writer waits, and again at once: ok
a reader behind a writer is interrupted: ok
a writer behind a reader waits in vain: ok
a writer behind a reader waits, and again at once: ok
a writer behind a reader is interrupted: ok
a weight waits in vain: ok
a weight waits, and again at once: ok
a weight is interrupted: ok
a reader behind a writer is killed, and the next one waits: ok
a reader behind a writer is killed, and the next one waits: ok
a reader behind a writer is killed, and somebody comes: ok
a writer behind a reader is killed, and the next one waits: ok
a writer behind a reader is killed, and the next one waits: ok
a writer behind a reader is killed, and somebody comes: ok
a weight is killed, and the next one waits: ok
a weight is killed, and the next one waits: ok
a weight is killed, and somebody comes: ok
