--TEST--
A wait whose connection is cut goes on in the queue; a server that stands still ends it as soon as it did before
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/waiting.inc';
$frozen = new Server();
$cut = new Server();
$redis = $cut->client();
foreach ([$frozen, $cut] as $server) {
	$server->client()('SET', 'lock', RedisLock::newToken(), 'PX', 60000);
}
$began = now();
$stuck = new Waiter($frozen->options(['name' => 'lock', 'read_timeout' => 1.0]));
await_queue($frozen->client(), 1);
$waiter = new Waiter($cut->options(['name' => 'lock']));
await_queue($redis, 1);
$frozen->freeze();

/* As operators do, and proxies who see nothing pass for a while. */
$blocked = fn () => preg_match('/^id=(\d+) .* cmd=blpop /m', $redis('CLIENT', 'LIST'), $m) ? $m[1] : null;
$before = $blocked();
$redis('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
wait_until(fn () => !in_array($blocked(), [null, $before], true));
$freed = now();
(new RedisLock($cut->options(['name' => 'lock'])))->forceRelease();
expect_taken('woken', $freed, 0, WOKEN, $waiter->got());
var_dump($waiter->do('release'));

echo preg_replace('~unix://[^\s)]+~', 'SERVER', $stuck->php->line()), "\n";
expect_between('given up after', now() - $began, 5, 10);
$frozen->thaw();
?>
--EXPECT--
woken: ok
bool(true)
RedisLock\ConnectionException: lock "lock": the server did not answer in time (SERVER)
given up after: ok
