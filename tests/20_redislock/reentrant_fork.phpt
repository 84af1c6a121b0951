--TEST--
reentrant: a forked copy is not in the lock
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
if (!extension_loaded('pcntl')) {
	die('skip pcntl is not loaded');
}
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$options = $server->options(['name' => 'reentrant_fork', 'reentrant' => true]);
$lock = new RedisLock($options);
$lock->acquire();
$child = pcntl_fork();
if ($child === 0) {
	var_dump($lock->isHeld(), (new RedisLock($options))->acquire(), $lock->acquire(), $lock->release());
	exit(0);
}
pcntl_waitpid($child, $status);
var_dump($lock->acquire(), $lock->release(), $redis('EXISTS', 'reentrant_fork'), $lock->release(), $redis('EXISTS',
	'reentrant_fork'));
?>
--EXPECT--
bool(false)
bool(false)
bool(false)
bool(false)
bool(true)
bool(true)
int(1)
bool(true)
int(0)
