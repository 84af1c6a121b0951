--TEST--
In a forked copy: nothing is said of a release with release_async that was under way in the parent
--EXTENSIONS--
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$lock = new RedisLock($server->options(['name' => 'fork_release_async', 'ttl' => 5, 'release_async' => true]));
var_dump($lock->acquire());
var_dump($lock->release());
$pid = pcntl_fork();
if ($pid === 0) {
	var_dump($lock->acquire(), $lock->release());
	exit;
}
pcntl_waitpid($pid, $status);
var_dump($lock->acquire(), $lock->release());
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
