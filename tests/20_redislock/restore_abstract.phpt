--TEST--
RedisLock::restore(): of an abstract class throws
--SKIPIF--
<?php extension_loaded('redislock') or die('skip redislock is not loaded');
--FILE--
<?php
abstract class Sub extends RedisLock
{
}

try {
	Sub::restore(['password' => 'secret'], 'restore_abstract', 'token');
} catch (Error $e) {
	echo $e->getMessage(), "\n";
}
--EXPECT--
Cannot instantiate abstract class Sub
