--TEST--
In a forked copy nothing is held, nothing is touched, and acquire() works on a connection of its own
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
$lock = new RedisLock($server->options(['name' => 'fork_lease']));
$free = new RedisLock($server->options(['name' => 'fork_lease:2']));
$_ = $lock->acquire();
$_ = $free->acquire();
$free->release();
$child = pcntl_fork();
if ($child === 0) {
	step('the copy has nothing of the lease', $lock->isHeld(), $lock->remaining(), $lock->keepAlive(), $lock->release(), $lock->isAcquired());
	step('it may take what is free', $free->acquire(), $free->release(), $lock->acquire());
	unset($lock, $free);
	exit(0);
}
pcntl_waitpid($child, $status);
step('back in the parent, it is there', pcntl_wexitstatus($status), $lock->isHeld(), $lock->isAcquired(), $free->acquire(), $free->release(),
	$lock->release());
?>
--EXPECT--
the copy has nothing of the lease: false, 0.0, false, false, false
it may take what is free: true, true, false
back in the parent, it is there: 0, true, true, true, true, true
