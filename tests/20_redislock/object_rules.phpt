--TEST--
RedisLock objects are not copied, not serialized, equal to nothing but themselves, and take no further properties
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
require __DIR__ . '/../inc/outcome.inc';
$lock = new RedisLock($server->options());
$exception = new RedisLock\NotAcquiredException('x');
each_outcome([
	'clone' => fn () => clone $lock,
	'serialize' => fn () => serialize($lock),
	'unserialize' => fn () => unserialize('O:9:"RedisLock":0:{}'),
	'property' => fn () => $lock->foo = 1,
	'task' => fn () => new SequenceTask(),
	'no constructor' => fn () => (new ReflectionClass(RedisLock::class))->newInstanceWithoutConstructor()->acquire(),
], fn ($code) => $code());
/* array_search() among locks finds that one, not just any. */
$redLock = new RedLock(["unix://$server->socket"]);
var_dump($lock == new RedisLock($server->options(['name' => 'other'])), $redLock == new RedLock(["unix://$server->socket"]));
var_dump($lock == $lock, array_search($lock, [new RedisLock(), $lock]));
var_dump((array) $lock, isset($lock->x), json_encode($lock));
var_dump($exception->getNode(), $exception->isRetryable(), $exception->getHolder(), $exception->getRemaining());
?>
--EXPECT--
clone: Error: Trying to clone an uncloneable object of class RedisLock
serialize: Exception: Serialization of 'RedisLock' is not allowed
unserialize: Exception: Unserialization of 'RedisLock' is not allowed
property: Error: Cannot create dynamic property RedisLock::$foo
task: Error: Call to private SequenceTask::__construct() from global scope
no constructor: Error: RedisLock::__construct() was not called
bool(false)
bool(false)
bool(true)
int(1)
array(0) {
}
bool(false)
string(2) "{}"
NULL
bool(false)
NULL
NULL
