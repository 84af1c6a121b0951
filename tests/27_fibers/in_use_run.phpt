--TEST--
RedisLock::setPoller(): a run ends, and its object is used again, while another fiber asks the server about its lock
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/loop.inc';

$server = new Server;
$redis = $server->client();
$loop = new Loop;
/* The loop knows nothing of the fiber that asks. */
RedisLock::setPoller(function (array $read, array $write, ?float $seconds) use ($loop, &$asking) {
	Fiber::getCurrent() === $asking ? Fiber::suspend() : $loop->poll($read, $write, $seconds);
});
foreach (['keepAlive' => [], 'isAcquired' => [], 'downgrade' => [], 'upgrade' => ['shared' => true]] as $method => $options) {
	foreach ([false, true] as $again) {
		$lock = new RedisLock($server->options(['name' => 'in_use_run', 'ttl' => 60] + $options));
		$asking = new Fiber($lock->$method(...));
		$loop->start(function () use ($lock, $server, $asking, $again, &$ran) {
			$lock->synchronized(function () use ($server, $asking) {
				$server->freeze();
				$asking->start();
			});
			$ran = [$lock->isHeld(), $again && $lock->acquire()];
		});
		$loop->run($asking->isStarted(...));
		$server->thaw();
		$loop->run();
		while (!$asking->isTerminated()) {
			$asking->resume();
		}
		step($method, ...$ran, ...[$asking->getReturn(), $lock->isHeld(), $lock->release(), $redis('EXISTS', 'in_use_run')]);
	}
}
?>
--EXPECT--
keepAlive: false, false, false, false, false, 0
keepAlive: false, true, false, true, true, 0
isAcquired: false, false, false, false, false, 0
isAcquired: false, true, false, true, true, 0
downgrade: false, false, false, false, false, 0
downgrade: false, true, false, true, true, 0
upgrade: false, false, false, false, false, 0
upgrade: false, true, false, true, true, 0
