--TEST--
prefix: in front of every name
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
foreach ([['prefix' => 'a:'], ['prefix' => ''], ['prefix' => "\0{e}"]] as $options) {
	$lock = new RedisLock($server->options($options + ['name' => 'prefix']));
	$_ = $lock->acquire();
	$lock->lock('prefix:2');
	$keys = $redis('KEYS', '*');
	sort($keys);
	echo addcslashes(implode(' ', $keys), "\0"), "; ", $lock, "\n";
	$lock->release();
	$lock->unlock('prefix:2');
}
?>
--EXPECT--
a:prefix a:prefix:2; prefix[60]
prefix prefix:2; prefix[60]
\000{e}prefix \000{e}prefix:2; prefix[60]
