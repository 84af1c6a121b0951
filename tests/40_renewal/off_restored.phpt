--TEST--
RedisLock\RenewalException: a restored lock whose renewal cannot be started is not held, and stays on the server
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$redis('SET', 'off_restored', 'a token', 'PX', 60000);
$lock = RedisLock::restore($s->options(['renew' => true, 'ttl' => 20]), 'off_restored', 'a token');
$server = ['scheme' => 'unix', 'path' => $s->socket, 'timeout' => 5, 'read_timeout' => 5];
$made = ['resource' => 'off_restored', 'token' => 'a token', 'validity' => 1.0];
$red = new RedLock([$server], 200, 3, ['renew' => true]);
foreach (['isAcquired' => [20001, 60000], 'keepAlive' => [10000, 20000], 'extend' => [1, 9000]] as $method => $ttl) {
	ini_set('redislock.renewal', 'off');
	try {
		$method === 'extend' ? $red->extend($made, 9000) : $lock->$method();
	} catch (RedisLock\RenewalException) {
		expect_between("$method, PTTL", $redis('PTTL', 'off_restored'), ...$ttl);
	}
	var_dump($lock->isHeld(), $lock->remaining(), $lock->getToken());
}
ini_restore('redislock.renewal');
var_dump($lock->isAcquired(), $lock->isHeld(), $lock->release(), $redis('EXISTS', 'off_restored'));
--EXPECT--
isAcquired, PTTL: ok
bool(false)
float(0)
string(7) "a token"
keepAlive, PTTL: ok
bool(false)
float(0)
string(7) "a token"
extend, PTTL: ok
bool(false)
float(0)
string(7) "a token"
bool(true)
bool(true)
bool(true)
int(0)
