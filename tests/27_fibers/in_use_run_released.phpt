--TEST--
RedisLock::setPoller(): a run ends while a fiber that its callable has begun releases its lock
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--ENV--
GLIBC_TUNABLES=glibc.malloc.tcache_count=0
MALLOC_PERTURB_=165
--FILE--
<?php
require __DIR__ . '/../inc/loop.inc';

$server = new Server;
$redis = $server->client();
$loop = new Loop;
$loop->install();
$lock = new RedisLock($server->options(['name' => 'in_use_run_released', 'ttl' => 60]));
/* The server gets to know the script. */
step('before', $lock->acquire(), $lock->release());
step('run', $lock->synchronized(function () use ($lock, $server, $redis, $loop, &$released) {
	$server->freeze();
	$loop->start(function () use ($lock, &$released) {
		$released = $lock->release();
	});
	$server->thaw();
	/* The request has been executed, but the fiber has not heard of that. */
	wait_until(fn () => $redis('EXISTS', 'in_use_run_released') === 0);
	return 'done';
}));
try {
	$_ = $lock->acquire();
} catch (LogicException $e) {
	echo $e->getMessage(), "\n";
}
$loop->run();
step('released', $released, $lock->isHeld(), $lock->acquire(), $lock->release());
?>
--EXPECT--
before: true, true
run: 'done'
lock "in_use_run_released" is already held by this object
released: true, false, true, true
