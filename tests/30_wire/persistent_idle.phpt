--TEST--
A kept connection that was idle for a while: the time it was idle is no part of what is asked over it next
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server(true);
foreach ([false, true] as $tcp) {
	for ($i = 0; $i < 2; $i++) {
		$lock = new RedisLock($server->options(['name' => 'persistent_idle', 'persistent' => true, 'ttl' => 10,
			'read_timeout' => 0.5], $tcp));
		var_dump($lock->acquire());
		expect_between('remaining', $lock->remaining(), 9.5, 10);
		$lock->release();
		unset($lock);
		usleep(700000);
	}
}
?>
--EXPECT--
bool(true)
remaining: ok
bool(true)
remaining: ok
bool(true)
remaining: ok
bool(true)
remaining: ok
