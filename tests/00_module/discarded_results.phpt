--TEST--
From PHP 8.5 on, a dropped result of acquire() or keepAlive() is warned of, and that of release() is not
--FILE--
<?php
$warned = [];
set_error_handler(function (int $level, string $message) use (&$warned) {
	$warned[] = preg_replace('/^The return value of method (\S+)\(\) should .*/', '$1', $message);
	return true;
});
$lock = new RedisLock(['unix_socket' => __DIR__ . '/nowhere', 'name' => 'discarded']);
try {
	$lock->acquire();
} catch (RedisLock\ConnectionException) {
}
$lock->keepAlive();
$lock->release();
$attributed = array_filter(['acquire', 'keepAlive', 'release'], fn ($name) =>
	array_map(fn ($attribute) => $attribute->getName(), (new ReflectionMethod('RedisLock', $name))->getAttributes()) === ['NoDiscard']);
$knows = PHP_VERSION_ID >= 80500;
var_dump($warned === ($knows ? ['RedisLock::acquire', 'RedisLock::keepAlive'] : []));
var_dump($attributed === ($knows ? ['acquire', 'keepAlive'] : []));
?>
--EXPECT--
bool(true)
bool(true)
