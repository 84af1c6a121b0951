--TEST--
RedisLock::acquire(): a second time on the same object is a mistake, not a conflict
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$lock = new RedisLock($server->options(['name' => 'acquire_twice']));
$_ = $lock->acquire();
$token = $lock->getToken();
foreach ([fn () => $lock->acquire(), fn () => $lock->acquire(5), fn () => $lock->lock('acquire_twice')] as $again) {
	try {
		$again();
	} catch (LogicException $e) {
		echo get_class($e), ': ', $e->getMessage(), "\n";
	}
}
var_dump($lock->isAcquired(), $lock->getToken() === $token, $lock->release());
?>
--EXPECT--
LogicException: lock "acquire_twice" is already held by this object
LogicException: lock "acquire_twice" is already held by this object
LogicException: lock "acquire_twice" is already held by this object
bool(true)
bool(true)
bool(true)
