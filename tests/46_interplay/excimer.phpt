--TEST--
excimer: its timers and profiler go on beside a loss, whichever extension was loaded first
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_extension('excimer'); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';

$s = new Server;
$code = <<<'PHP'
	require $argv[2];
	$redis = new Client("unix://$argv[1]");
	$ticks = 0;
	$timer = new ExcimerTimer;
	$timer->setEventType(EXCIMER_REAL);
	$timer->setPeriod(0.002);
	$timer->setCallback(function ($count) use (&$ticks) {
		$ticks += $count; /* those of a sleep arrive together */
	});
	$timer->start();
	$profiler = new ExcimerProfiler;
	$profiler->setEventType(EXCIMER_REAL);
	$profiler->setPeriod(0.002);
	$profiler->start();

	function hot_loop() {
		for (;;);
	}
	function asleep() {
		for (;;) {
			sleep(20);
		}
	}
	function calls() {
		for (;;) {
			strrev(md5('x'));
		}
	}
	foreach (['hot_loop', 'asleep', 'calls', 'hot_loop'] as $place) {
		expect_within($place, 0.05 + 0.1, function () use ($argv, $redis, $place, &$ticks) {
			try {
				SequenceTask::execute(['unix_socket' => $argv[1], 'name' => 'excimer', 'ttl' => 30, 'interval' => 0.05],
					function () use ($redis, $place, &$start) {
						$start = now();
						$redis('DEL', 'excimer');
						$place();
					});
			} catch (RedisLock\LockLostException $e) {
				$seconds = taken($start);
				$before = $ticks;
				if ($e->hasResult() || !comes_true(function () use (&$ticks, $before) {
					return $ticks >= $before + 3;
				})) {
					var_dump($ticks - $before, $e->hasResult());
				}
				return $seconds;
			}
		}, 10);
	}
	function afterwards($profiler) {
		return comes_true(fn () => str_contains($profiler->getLog()->formatCollapsed(), 'afterwards'));
	}
	var_dump(afterwards($profiler));
	/* Each event is a thread; excimer 1.0 frees at the end what one that is about to run needs. */
	$timer->stop();
	$profiler->stop();
	wait_until(fn () => count(scandir('/proc/self/task')) - 2 <= 2);
	PHP;
foreach (['before' => [[], ['extension=excimer']], 'after' => [['extension=excimer'], []]] as $order => [$ini, $before]) {
	$php = new Php($code, [$s->socket, dirname(__DIR__) . '/inc/timing.inc'], $ini, $before);
	echo "loaded $order us\n", $php->rest();
	if ($php->end() !== ['exit' => 0]) {
		var_dump($php->end());
	}
}
--EXPECT--
loaded before us
hot_loop: ok
asleep: ok
calls: ok
hot_loop: ok
bool(true)
loaded after us
hot_loop: ok
asleep: ok
calls: ok
hot_loop: ok
bool(true)
