--TEST--
RedisLock::detach(), restore(): a lock taken by one process is released by another
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$lock = new RedisLock($server->options(['name' => 'detach_restore', 'ttl' => 30]));
$_ = $lock->acquire();
$token = $lock->detach();
var_dump($token === $redis('GET', 'detach_restore'), $lock->isHeld(), $lock->getToken(), $lock->release(),
	$lock->keepAlive());
var_dump($lock->acquire());

$php = new Php('$lock = RedisLock::restore(["unix_socket" => $argv[1], "ttl" => 20], "detach_restore", $argv[2]);
	var_dump($lock->isHeld(), $lock->remaining(), $lock->getToken() === $argv[2], $lock->getName());
	var_dump($lock->keepAlive(), $lock->isHeld(), $lock->remaining() > 5, $lock->remaining() < 20);
	var_dump($lock->release(), $lock->release(), $lock->getToken());', [$server->socket, $token]);
echo $php->rest();
var_dump($redis('DBSIZE'));
foreach ([$lock, new RedisLock($server->options(['name' => 'not taken'])), RedisLock::restore($server->options(), 'detach_restore',
	'x')] as $not_held) {
	try {
		$not_held->detach();
	} catch (LogicException $e) {
		echo get_class($e), ': ', $e->getMessage(), "\n";
	}
}
?>
--EXPECT--
bool(true)
bool(false)
NULL
bool(false)
bool(false)
bool(false)
bool(false)
float(0)
bool(true)
string(14) "detach_restore"
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(false)
NULL
int(0)
LogicException: lock "detach_restore" is not held by this object
LogicException: lock "not taken" is not held by this object
LogicException: lock "detach_restore" is not held by this object
