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
	$_ = $lock->acquire(0.2);
} catch (RedisLock\ConnectionException $e) {
	echo $e->getMessage(), "\n";
}
unset($lock);
/* From here on others overtake what was sent. Nothing follows it that would free what comes now. */
$proxy->tell('delay 0');
$lock = new RedisLock(['read_timeout' => 10] + $params);
var_dump($lock->acquire());
wait_until(fn () => preg_match('/cmdstat_set:calls=2/', $redis('INFO', 'COMMANDSTATS')), 10);
var_dump($redis('GET', 'gone') === $lock->getToken(), $lock->release());
?>
--EXPECTF--
lock "gone": the server did not answer in time (tcp://127.0.0.1:%d)
bool(true)
bool(true)
bool(true)
