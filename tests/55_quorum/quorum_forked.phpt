--TEST--
Quorums: a forked copy holds nothing, touches nothing, and can take locks of its own
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
if (!extension_loaded('pcntl')) {
	die('skip pcntl is not loaded');
}
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
$servers = servers(3);
$lock = new RedisLock(['servers' => addresses($servers), 'name' => 'quorum_forked']);
$red = new RedLock(addresses($servers), 1, 1);
$_ = $lock->acquire();
$made = $red->lock('quorum_forked:red', 60000);
flush();
$pid = pcntl_fork();
if ($pid === 0) {
	var_dump($lock->isHeld(), $lock->release(), $lock->keepAlive(), $red->extend($made), $lock->acquire());
	$own = $red->lock('quorum_forked:own', 60000);
	var_dump(is_array($own), $red->unlock($own));
	$lock = $red = null;
	exit;
}
pcntl_waitpid($pid, $status);
echo "the parent\n";
var_dump($lock->isHeld(), $lock->isAcquired(), is_array($red->extend($made)), $red->unlock($made), $lock->release());
echo nothing_left($servers), "\n";
?>
--EXPECT--
bool(false)
bool(false)
bool(false)
bool(false)
bool(false)
bool(true)
bool(true)
the parent
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
nothing is left
