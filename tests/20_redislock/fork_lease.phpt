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
$lock->acquire();
$free->acquire();
$free->release();
$child = pcntl_fork();
if ($child === 0) {
	var_dump($lock->isHeld(), $lock->remaining(), $lock->keepAlive(), $lock->release(), $lock->isAcquired());
	var_dump($free->acquire(), $free->release(), $lock->acquire());
	unset($lock, $free);
	exit(0);
}
pcntl_waitpid($child, $status);
var_dump(pcntl_wexitstatus($status), $lock->isHeld(), $lock->isAcquired(), $free->acquire(), $free->release(),
	$lock->release());
?>
--EXPECT--
bool(false)
float(0)
bool(false)
bool(false)
bool(false)
bool(true)
bool(true)
bool(false)
int(0)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
