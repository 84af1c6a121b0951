--TEST--
A waiter is not told that its turn has come, since its connection leads nowhere: a look finds that out within seconds
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/waiting.inc';
require __DIR__ . '/../chaos/Proxy.php';

/* The provisional ttl of the waiter that was not told, a look that comes a second after the one before, and a second of doubt. */
const FOUND = 5.0;

function untold(string $what, array $options): void
{
	$server = new Server(true);
	$redis = $server->client();
	$proxy = new Proxy($server->port);
	$holder = new RedisLock($server->options(['name' => 'lock']));
	$_ = $holder->acquire();
	$waiter = new Waiter(['host' => '127.0.0.1', 'port' => $proxy->port, 'name' => 'lock'] + $options);
	await_queue($redis, 1);
	$proxy->tell($what);
	$proxy->tell('pass');
	$released = now();
	$holder->release();
	echo "$what: ";
	expect_taken('got it', $released, 0, FOUND, $waiter->got());
	var_dump($waiter->do('release'), $holder->acquire());
}

untold('swallow down', []);
untold('swallow both', ['renew' => true]);
untold('leave server', []);

/* The same token twice: that somebody has the lock by it does not mean that it is ours. */
$server = new Server();
$redis = $server->client();
$token = RedisLock::newToken();
$redis('SET', 'lock', $token, 'PX', 60000);
$waiter = new Waiter($server->options(['name' => 'lock', 'token' => $token]));
await_queue($redis, 1);
$joined = now();
wait_until(fn () => now() > $joined + 2.6 || $redis('EXISTS', 'lock') === 0, 5);
var_dump($redis('GET', 'lock') === $token);
$redis('DEL', 'lock');
expect_taken('got it', $joined, 2.6, 2.6 + WOKEN, $waiter->got());
?>
--EXPECT--
swallow down: got it: ok
bool(true)
bool(true)
swallow both: got it: ok
bool(true)
bool(true)
leave server: got it: ok
bool(true)
bool(true)
bool(true)
got it: ok
