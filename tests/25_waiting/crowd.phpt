--TEST--
250 waiters look after a lock once a second, more of them take turns; who has long to go takes no second connection
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
[$key, $waiters] = $keys = ['crowd', '{crowd}:rlk:waiters', '{crowd}:rlk:signal', '{crowd}:rlk:turn', '', ''];
$holder = RedisLock::newToken();
$sha = $redis('SCRIPT', 'LOAD', script_text('join'));
$redis('SET', $key, $holder, 'PX', 600000);
/* When somebody who waits for so long is to check, in ms. */
$joining = fn (int $wait): array => ['EVALSHA', $sha, 6, ...$keys, 'somebody', 2000, '', min($wait, 60000) + 1000, $wait];
$join = fn (int $wait = 1000000): int => $redis(...$joining($wait))[3];
$check = fn (): int => $redis('EVAL', script_text('check'), 6, ...$keys, ...['', 61000, '']);
/* All at once: the checks of those who came first must not be over when the last comes. */
$come = function (int $count) use ($redis, $joining): array {
	array_map(fn () => $redis->send(...$joining(1000000)), range(1, $count));
	return array_map(fn () => $redis->receive()[3], range(1, $count));
};
/* A second gone is one that the waiters key lacks. */
$pass = fn (int $ms) => $redis('PEXPIRE', $waiters, $redis('PTTL', $waiters) - $ms);

$began = now();
var_dump(array_unique($come(250)));
$_ = $come(499);
$came = now();
$last = $join();
expect_between('the last of 500 more', $last, 749 * 4 - (now() - $began) * 1000 - 1, 749 * 4);
var_dump($join(1001));
/* Booked checks are taken, one each 4 ms, whatever those who come are told. */
$began = $came;
$pass(1000);
$left = $last - 1000;
expect_between('a second later', $join(), $left - (now() - $began) * 1000 - 2, $left + 4);
array_map($check, range(1, 100));
expect_between('a check books, too', $check(), $left + 400 - (now() - $began) * 1000 - 2, $left + 408);
$redis('PEXPIRE', $waiters, 1);
wait_until(fn () => $redis('EXISTS', $waiters) === 0);
var_dump($join());
/* Never more than 10 s ahead, when thousands are gone. */
$began = now();
$come(3500);
expect_between('at most', $join(), 9990 - (now() - $began) * 1000, 10000);

/* Nobody checks where nobody wakes: that is checking all the time. Nor who will be gone by then. */
$redis('DEL', $waiters);
$redis('SET', $key, 'a foreign token', 'PX', 60000);
var_dump($join());
$redis('SET', $key, $holder, 'PX', 60000);
var_dump($join(999), $join(1001));
/* Where few check they do so when the key expires, too. At once, or it might have expired. */
$join_short = function () use ($redis, $key, $holder, $joining): int {
	array_map(fn (array $command) => $redis(...$command), [['MULTI'], ['SET', $key, $holder, 'PX', 900], $joining(1000000)]);
	return $redis('EXEC')[1][3];
};
expect_between('at its end', $join_short(), 899, 901);
$redis('SET', $key, $holder, 'PX', 60000);
$began = now();
$come(1000);
expect_between('of many', $join_short(), max(1000, 4000 - (now() - $began) * 1000), 4100);

/* One that was told to check in 3 s, and then in 27. */
$redis('SET', $key, $holder, 'PX', 60000);
$options = $server->options(['name' => 'crowd', 'client_name' => 'crowd']);
$connections = fn () => substr_count($redis('CLIENT', 'LIST'), ' name=crowd ');
$book = fn (int $ms) => $redis('LSET', $waiters, 0, $redis('PTTL', $waiters) - $ms . ' 62000');
$book(3000);
$began = now();
$waiter = new Waiter($options);
await_queue($redis, 1);
$queued = now();
$book(30_000);
$checks = fn () => preg_match('/^cmdstat_eval:calls=(\d+)/m', $redis('INFO', 'commandstats'), $m) ? (int) $m[1] : 0;
$before = $checks();
var_dump($connections(), comes_true(fn () => $checks() > $before));
expect_taken('its first check, s', $queued, 2.9 - ($queued - $began), 5);
wait_until(fn () => $connections() === 1);
(new RedisLock($options))->forceRelease();
$waiter->got();
var_dump($waiter->do('release'));
?>
--EXPECT--
array(1) {
  [0]=>
  int(1000)
}
the last of 500 more: ok
int(0)
a second later: ok
a check books, too: ok
int(1000)
at most: ok
int(0)
int(0)
int(1000)
at its end: ok
of many: ok
int(1)
bool(true)
its first check, s: ok
bool(true)
