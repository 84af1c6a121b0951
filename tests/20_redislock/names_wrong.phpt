--TEST--
RedisLock: lock() and unlock() refuse the same names
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
$lock = new RedisLock((new Server)->options());
foreach (['lock', 'unlock'] as $method) {
	each_outcome(["$method empty" => '', "$method helper" => 'a:rlk:fence', "$method long" => str_repeat('a', 65536),
		"$method one not held" => "names_wrong.$method"], fn ($name) => $lock->$method($name));
}
--EXPECT--
lock empty: ValueError: RedisLock::lock(): Argument #1 ($name) is not valid: it must not be empty
lock helper: ValueError: RedisLock::lock(): Argument #1 ($name) is not valid: it must not end in ":rlk:fence", which is reserved for helper keys
lock long: ValueError: RedisLock::lock(): Argument #1 ($name) is not valid: it must be at most 65535 bytes long
lock one not held: true
unlock empty: ValueError: RedisLock::unlock(): Argument #1 ($name) is not valid: it must not be empty
unlock helper: ValueError: RedisLock::unlock(): Argument #1 ($name) is not valid: it must not end in ":rlk:fence", which is reserved for helper keys
unlock long: ValueError: RedisLock::unlock(): Argument #1 ($name) is not valid: it must be at most 65535 bytes long
unlock one not held: false
