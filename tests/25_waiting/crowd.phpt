--TEST--
Of a crowd 250 look after the lock, and one more every 20 ms; who is not among them takes no second connection
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
[$key, $mark] = ['crowd', '{crowd}:rlk:waiters'];
$holder = RedisLock::newToken();
$redis('SET', $key, $holder, 'PX', 60000);
$join = fn (int $life, int $would = 1): int =>
	$redis('EVAL', script_text('join'), 2, $key, $mark, 'somebody', 2000, $life, $would)[2];
/* How many of those who come at once are to look. Time is taken from the mark: a second gone is one it lacks. */
$come = function (int $count) use ($join): int {
	$looking = 0;
	for ($i = 0; $i < $count; $i++) {
		$looking += (int) ($join(6250) === 2);
	}
	return $looking;
};
$pass = fn (int $ms) => $redis('PEXPIRE', $mark, $redis('PTTL', $mark) - $ms);

$began = now();
expect_between('all of 250', $come(250), 250, 250);
expect_between('of 500 more', $come(500), 0, (now() - $began) * 50 + 1);
$began = now();
$pass(1000);
expect_between('a second later', $come(500), 49, 50 + (now() - $began) * 50 + 1);
/* Waits that are shorter do not begin their count anew. */
$began = now();
$pass(1000);
for ($i = 0; $i < 10; $i++) {
	$join(2000, 0);
}
expect_between('another second later', $come(500), 49, 50 + (now() - $began) * 50 + 1);
$pass(5000);
expect_between('when all are gone', $come(250), 249, 250);

/* Nobody looks where nobody wakes: that is looking all the time. */
$redis('DEL', $mark);
$redis('SET', $key, 'a foreign token', 'PX', 60000);
var_dump($join(6250));

/* One too many. After 5 s it lines up again, and is counted anew. */
$redis('SET', $key, $holder, 'PX', 60000);
$come(500);
$options = $server->options(['name' => 'crowd', 'client_name' => 'crowd']);
$connections = fn () => substr_count($redis('CLIENT', 'LIST'), ' name=crowd ');
$redis('LSET', $mark, 0, 6000);
$began = now();
$waiter = new Waiter($options);
await_queue($redis, 1);
$joined = now();
var_dump(wait_until(fn () => $connections() > 1, 4.0));
var_dump(wait_until(fn () => $connections() > 1, 5.0));
expect_between('its first look, s', now() - $joined, 5.9 - ($joined - $began), 7.5);
/* The same when it is one of them no longer. */
$redis('LSET', $mark, 0, 100000);
var_dump(wait_until(fn () => $connections() === 1, 7.0));
$redis('DEL', $key);
(new RedisLock($options))->forceRelease();
$waiter->got();
var_dump($waiter->do('release'));
?>
--EXPECT--
all of 250: ok
of 500 more: ok
a second later: ok
another second later: ok
when all are gone: ok
int(0)
bool(false)
bool(true)
its first look, s: ok
bool(true)
bool(true)
