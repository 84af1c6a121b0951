--TEST--
The module loads, with its version and its classes
--EXTENSIONS--
redislock
--FILE--
<?php
$module = new ReflectionExtension('redislock');
preg_match('/PHP_REDISLOCK_VERSION "(.+)"/', file_get_contents(__DIR__ . '/../../php_redislock.h'), $m);
var_dump($module->getVersion() === $m[1], array_keys($module->getFunctions()), $module->getConstants());
foreach ($module->getClasses() as $class) { /* RedLock is an alias, and stands there twice */
	$parent = $class->getParentClass();
	echo $class->getName(), $parent ? ' extends ' . $parent->getName() : '', "\n";
}
print_r($module->getDependencies());
?>
--EXPECT--
bool(true)
array(2) {
  [0]=>
  string(15) "RedisLock\stats"
  [1]=>
  string(17) "RedisLock\observe"
}
array(0) {
}
RedisLock\Lock
RedisLock\ManagedLock
RedisLock
RedisLock\RedLock
RedisLock\RedLock
SequenceTask
RedisLock\Worker
RedisLock\Exception extends RuntimeException
RedisLock\ConnectionException extends RedisLock\Exception
RedisLock\NotAcquiredException extends RedisLock\Exception
RedisLock\LockLostException extends RedisLock\Exception
RedisLock\RenewalException extends RedisLock\Exception
Array
(
    [spl] => Required
    [pcntl] => Optional
)
