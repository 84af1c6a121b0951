--TEST--
After a wait the key has a provisional ttl of 2 s only, extended in passing, or by the renewal child
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
$hand_over = function (array $options) use ($server, $redis) {
	$holder = new RedisLock($server->options(['name' => 'provisional', 'ttl' => 60]));
	$_ = $holder->acquire();
	$waiter = new Waiter($server->options($options + ['name' => 'provisional', 'ttl' => 60]));
	await_queue($redis, 1);
	$holder->release();
	$waiter->got();
	return $waiter;
};
/* A lease extends it at once. */
$waiter = $hand_over([]);
$began = now();
wait_until(fn () => $redis('PTTL', 'provisional') > 50000);
expect_taken('extended, s', $began, 0, 0.9);
var_dump(comes_true(fn () => $waiter->do('remaining') > 50), $waiter->do('release'));
/* A process-bound lock at half of the provisional ttl: short work never needs it. */
[$waiter, $pttl, $remaining] = unless_stalled(function () use ($hand_over, $redis) {
	$redis('DEL', 'provisional');
	$waiter = $hand_over(['renew' => true]);
	return [$waiter, $redis('PTTL', 'provisional'), $waiter->do('remaining')];
}, fn (array $came) => $came[1] >= 1 && $came[1] <= 2000 && $came[2] >= 0.1 && $came[2] <= 2);
expect_between('PTTL', $pttl, 1, 2000);
expect_between('remaining', $remaining, 0.1, 2);
var_dump(comes_true(fn () => $redis('PTTL', 'provisional') > 50000), $waiter->do('held'));
var_dump(comes_true(fn () => $waiter->do('remaining') > 50), $waiter->do('release'));
/* hold_at_least counts from having it, not from beginning to wait for it. */
$hand_over(['hold_at_least' => 50])->do('release');
expect_between('rest', $redis('PTTL', 'provisional'), 40000, 50000);
$redis('DEL', 'provisional');
/* Fences are minted with it, and no expiry at all is possible. */
$waiter = $hand_over(['fence' => true]);
var_dump($redis('GET', '{provisional}:rlk:fence'), $waiter->do('release'));
$waiter = $hand_over(['ttl' => 0]);
var_dump($redis('PTTL', 'provisional'), $waiter->do('held'), $waiter->do('release'), $redis('EXISTS', 'provisional'));
?>
--EXPECT--
extended, s: ok
bool(true)
bool(true)
PTTL: ok
remaining: ok
bool(true)
bool(true)
bool(true)
bool(true)
rest: ok
string(1) "1"
bool(true)
int(-1)
bool(true)
bool(true)
int(0)
