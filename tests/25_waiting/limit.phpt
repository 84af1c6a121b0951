--TEST--
acquire() returns in time whatever the server does, and its connection is used again
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--CONFLICTS--
all
--FILE--
<?php
require __DIR__ . '/../inc/waiting.inc';
$server = new Server();
$redis = $server->client();
$_ = (new RedisLock($server->options(['name' => 'limit'])))->acquire();
$lock = new RedisLock($server->options(['name' => 'limit', 'client_name' => 'limit']));
$wait = function (float $limit) use ($lock) {
	$start = now();
	var_dump($lock->acquire($limit));
	return taken($start, null, 0.299);
};
expect_within('with a server that answers', 0.35, fn () => $wait(0.3), 3, 0.299);
$redis('SET', 'foreign', 1);
$connections = fn () => substr_count($redis('CLIENT', 'LIST'), 'name=limit');
$lock->holder();
wait_until(fn () => $connections() === 1);
var_dump($lock->acquire(0.5));
await_queue($redis, 0); /* its BLPOP lasts until the server's next tick */

/* Frozen in the middle of the wait: our own clock ends it. */
expect_within('with a frozen server', 0.55, function () use ($redis, $server) {
	await_queue($redis, 0); /* the server has noticed the end of the last wait, too */
	$waiter = new Php('$lock = new RedisLock(["unix_socket" => $argv[1], "name" => "limit"]);
		$start = now();
		echo json_encode([$lock->acquire(0.5), $start, now()]), "\n";', [$server->socket]);
	await_queue($redis, 1);
	$server->freeze();
	[$got, $start, $end] = json_decode($waiter->line());
	var_dump($got);
	$server->thaw();
	return taken($start, $end, 0.499);
}, 3, 0.499);

/* Once the server has answered what nobody waits for, the same connection serves. */
$before = preg_match('/id=(\d+)[^\n]*name=limit/', $redis('CLIENT', 'LIST'), $m);
await_queue($redis, 0);
var_dump($lock->holder()['pid'] === getmypid());
var_dump($connections());
$lock->forceRelease();
var_dump($lock->acquire(), $lock->release(), $redis('EXISTS', 'limit'));
?>
--EXPECT--
bool(false)
bool(false)
bool(false)
with a server that answers: ok
bool(false)
bool(false)
bool(false)
bool(false)
with a frozen server: ok
bool(true)
int(1)
bool(true)
bool(true)
int(0)
