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
$_ = $lock->acquire();
$child = pcntl_fork();
if ($child === 0) {
	step('the copy is not inside', $lock->isHeld(), (new RedisLock($options))->acquire(), $lock->acquire(), $lock->release());
	exit(0);
}
pcntl_waitpid($child, $status);
step('the parent enters, and leaves twice', $lock->acquire(), $lock->release(), $redis('EXISTS', 'reentrant_fork'), $lock->release(), $redis('EXISTS',
	'reentrant_fork'));
?>
--EXPECT--
the copy is not inside: false, false, false, false
the parent enters, and leaves twice: true, true, 1, true, 0
