--TEST--
reentrant: an inner acquire() has at least half of the ttl it asks for
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/timing.inc';
$server = new Server();
$redis = $server->client();
$key = 'reentrant_ttl';
$make = fn (float $ttl, array $more = []) => new RedisLock($server->options(['name' => $key, 'reentrant' => true, 'ttl' => $ttl] + $more));
$left = function (string $what, RedisLock $lock, float $min, float $max) use ($redis, $key) {
	expect_between("$what, remaining()", $lock->remaining(), $min, $max);
	expect_between("$what, on the server", $redis('PTTL', $key) / 1000, $min, $max);
};

$outer = $make(5);
$inner = $make(30);
step('more than is left', $outer->acquire(), $inner->acquire());
$left('it is extended', $outer, 15, 30);
step('left by both', $inner->release(), $outer->release(), $redis('EXISTS', $key));

step('enough is left', $outer->acquire(), $make(9)->acquire());
$left('it is not', $outer, 1, 5);
step("by lock()", $outer->lock($key, RedisLock::NONBLOCKED, ["ttl" => 40]));
$left('extended again', $outer, 20, 40);
step('left', $outer->unlock($key), $outer->release(), $redis('EXISTS', $key));

/* No renewal of the outer one is shorter than before. */
foreach ([[5, 30], [30, 5]] as [$first, $second]) {
	$bound = ['renew' => true, 'interval' => 0.3];
	$outer = $make($first, $bound);
	$inner = $make($second, $bound);
	step("process-bound, $first and $second", $outer->acquire(), $inner->acquire());
	$left('the longer one', $outer, 15, 30);
	step('renewed', is_renewed($redis, $key), $inner->release(), $outer->release());
}

/* Not ours any more: a real acquisition. */
$inner = $make(30);
foreach (['is free' => [], 'is taken' => ['SET', $key, 'somebody']] as $it => $command) {
	$outer = $make(5);
	$_ = $outer->acquire();
	$redis('DEL', $key);
	$command && $redis(...$command);
	step("the lock $it", $inner->acquire(), $inner->isHeld(), $outer->isHeld(), $inner->getToken() === $redis('GET', $key));
	$inner->release();
	$redis('DEL', $key);
}

/* Without an answer it is not entered, and a limit of the wait is one of this, too. */
$outer = $make(5);
$inner = $make(30);
$_ = $outer->acquire();
$server->freeze();
echo preg_replace('/ \(.*/', '', outcome(fn () => $inner->acquire(0.1))), "\n";
$began = now();
outcome(fn () => $inner->acquire(0.1));
expect_taken('within the limit', $began, 0.08, 0.2);
$server->thaw();
step('left once', $inner->isHeld(), $inner->release(), is_released($outer->release(...), fn () => $redis('EXISTS', $key) === 0));

/* Without expiry. */
$endless = $make(0);
$_ = $outer->acquire();
echo outcome($endless->acquire(...)), "\n";
step('left', $outer->release(), $endless->acquire(), $outer->acquire(), $redis('PTTL', $key), $outer->release(), $endless->release());
?>
--EXPECT--
more than is left: true, true
it is extended, remaining(): ok
it is extended, on the server: ok
left by both: true, true, 0
enough is left: true, true
it is not, remaining(): ok
it is not, on the server: ok
by lock(): true
extended again, remaining(): ok
extended again, on the server: ok
left: true, true, 0
process-bound, 5 and 30: true, true
the longer one, remaining(): ok
the longer one, on the server: ok
renewed: true, true, true
process-bound, 30 and 5: true, true
the longer one, remaining(): ok
the longer one, on the server: ok
renewed: true, true, true
the lock is free: true, true, false, true
the lock is taken: false, false, false, false
RedisLock\ConnectionException: lock "reentrant_ttl": the server did not answer in time
within the limit: ok
left once: false, false, true
LogicException: lock "reentrant_ttl" was acquired without the "ttl" asked for now, so it cannot be entered again
left: true, true, true, -1, true, true
