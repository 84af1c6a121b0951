--TEST--
RedisLock::setPoller(): a run ends, while another fiber releases its lock
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/loop.inc';

$server = new Server;
$redis = $server->client();
$loop = new Loop;
/* The loop knows nothing of the fiber that releases. */
RedisLock::setPoller(function (array $read, array $write, ?float $seconds) use ($loop, &$releasing) {
	Fiber::getCurrent() === $releasing ? Fiber::suspend() : $loop->poll($read, $write, $seconds);
});
$lock = new RedisLock($server->options(['name' => 'in_use_released', 'ttl' => 60]));
$releasing = new Fiber(function () use ($lock, &$released) {
	$released = $lock->release();
});
$loop->start(function () use ($lock, $server, $releasing) {
	step('run', $lock->synchronized(function () use ($server, $releasing) {
		$server->freeze();
		$releasing->start();
		return 'done';
	}));
	try {
		step('acquired', $lock->acquire());
	} catch (LogicException $e) {
		echo $e->getMessage(), "\n";
	}
});
$server->thaw();
$loop->run();
$releasing->resume();
step('released', $released, $lock->isHeld(), $redis('EXISTS', 'in_use_released'));
step('acquired', $lock->acquire(), $lock->release());
?>
--EXPECT--
run: 'done'
lock "in_use_released" is already held by this object
released: true, false, 0
acquired: true, true
