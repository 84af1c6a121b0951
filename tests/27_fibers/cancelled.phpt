--TEST--
RedisLock::setPoller(): fibers that end at random points of their waits, destroyed or out of time, leave no key and no place in the queue
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/loop.inc';
require __DIR__ . '/../inc/waiting.inc';

$server = new Server;
$redis = $server->client();
$loop = new Loop;
$loop->install();
draw_the_same();

/* Ten at a time want a lock, a third of them for a moment only. Again and again one is destroyed, wherever it is. Every third
 * time it is the first that wants another lock, and the server, which had stopped, may not have read that yet. */
$want = function (array $options) use ($loop) {
	$lock = new RedisLock($options);
	try {
		if ($lock->acquire()) {
			$loop->sleep(0.0002);
		}
	} catch (RedisLock\ConnectionException $e) {
		if ($options['wait'] === 60) {
			throw $e;
		}
		/* The server has not answered for so long as this one would wait. */
	} finally {
		$lock->release();
	}
};
foreach (['lease' => [], 'process-bound' => ['renew' => true]] as $kind => $more) {
	$options = $server->options($more + ['ttl' => 60, 'read_timeout' => 60]);
	$fibers = [];
	for ($round = $started = 0; $started < 100; $round++) {
		if ($round % 3 === 0) {
			$server->freeze();
		}
		while (count($fibers) < 10) {
			$name = 'cancelled:' . intdiv($round, 3);
			$wait = $started++ % 3 === 0 ? mt_rand(1, 10) / 1e3 : 60;
			$fibers[] = $loop->start(fn () => $want(['name' => $name, 'wait' => $wait] + $options));
		}
		if ($round % 3 === 0) {
			$server->thaw();
		} else {
			$turns = $loop->polls + mt_rand(0, 20);
			$loop->run(fn () => $loop->polls >= $turns || mt_rand(0, 5) === 0);
			shuffle($fibers);
		}
		$loop->forget(array_pop($fibers));
		$fibers = array_values(array_filter($fibers, fn (Fiber $fiber) => !$fiber->isTerminated()));
	}
	array_map($loop->forget(...), $fibers);
	$fibers = [];
	await_queue($redis, 0);
	/* Nobody has to wait for the ttl. */
	wait_until(fn () => $redis('KEYS', 'cancelled:*') === [], 30);
	echo "$kind: nothing is left\n";
}
?>
--EXPECT--
lease: nothing is left
process-bound: nothing is left
