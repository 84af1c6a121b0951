--TEST--
The option token: what an object that is gone has under way does not free what a later one with the same token got
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
require __DIR__ . '/../chaos/Proxy.php';

$s = new Server(true);
$redis = $s->client();
$proxy = new Proxy($s->port);
$params = ['host' => '127.0.0.1', 'port' => $proxy->port, 'name' => 'gone', 'token' => RedisLock::newToken(), 'ttl' => 20,
	'read_timeout' => 0.3];
$proxy->tell('delay 5000');
$lock = new RedisLock($params);
try {
	$lock->acquire(0.2);
} catch (RedisLock\ConnectionException $e) {
	echo $e->getMessage(), "\n";
}
unset($lock);
/* From here on others overtake what was sent. Until after its read_timeout, and well before it arrives. */
$proxy->tell('delay 0');
usleep(450000);
$lock = new RedisLock(['read_timeout' => 1.5] + $params);
[$tries, $end] = [0, now() + 20];
do {
	try {
		$got = $lock->acquire();
	} catch (RedisLock\ConnectionException $e) {
		echo $tries++ === 0 ? $e->getMessage() . "\n" : '';
		$got = false;
	}
} while (!$got && now() < $end);
wait_until(fn () => substr_count($redis('CLIENT', 'LIST'), ' addr=') <= 2);
var_dump($tries > 0, $redis('GET', 'gone') === $lock->getToken(), $lock->release());
?>
--EXPECTF--
lock "gone": the server did not answer in time (tcp://127.0.0.1:%d)
lock "gone": an earlier try with this token may still be under way, and its end would free the lock (tcp://127.0.0.1:%d)
bool(true)
bool(true)
bool(true)
