--TEST--
RedisLock\LockLostException: arrives in running code within the interval
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--CONFLICTS--
all
--FILE--
<?php
require __DIR__ . '/../inc/timing.inc';

$s = new Server;
$redis = $s->client();
$places = [
	'hot loop' => function () {
		for ($i = 0;; $i++);
	},
	'usleep' => fn () => usleep(20_000_000),
	'sleep' => fn () => sleep(20),
	'many short sleeps' => function () {
		for (;;) {
			usleep(10);
		}
	},
	'generator' => function () {
		$g = (function () {
			for ($i = 0;; $i++) {
				yield $i;
			}
		})();
		foreach ($g as $x);
	},
	'array_map' => fn () => array_map(function () {
		for (;;);
	}, [1]),
	'usort' => function () {
		for (;;) {
			$list = range(1, 50);
			usort($list, fn ($a, $b) => strcmp(md5((string) $a), md5((string) $b)));
		}
	},
	'recursion' => function () {
		$fib = function ($n) use (&$fib) {
			return $n < 2 ? $n : $fib($n - 1) + $fib($n - 2);
		};
		$fib(60);
	},
	'method calls' => function () {
		$object = new ArrayObject;
		while ($object->count() === 0);
	},
	'waiting for another lock' => fn () => (new RedisLock($s->options(['name' => 'lost_in_code-other'])))->acquire(20),
];
$redis('SET', 'lost_in_code-other', 'somebody');

$config = $s->options(['name' => 'lost_in_code', 'ttl' => 30, 'interval' => 0.05]);
foreach ($places as $place => $code) {
	/* Promised is a tenth of a second behind the renewal that finds it out. */
	expect_within($place, 0.05 + 0.1, function () use ($config, $code, $redis) {
		try {
			SequenceTask::execute($config, function () use ($code, $redis, &$start) {
				$start = now();
				$redis('DEL', 'lost_in_code');
				$code();
				echo "not reached\n";
			});
		} catch (RedisLock\LockLostException $e) {
			$seconds = taken($start);
			if ($e->hasResult() || $e->getMessage() !== 'lock "lost_in_code" was lost: its key was deleted or has another owner') {
				var_dump($e->hasResult(), $e->getMessage());
			}
			return $seconds;
		}
	}, 10);
}
--EXPECT--
hot loop: ok
usleep: ok
sleep: ok
many short sleeps: ok
generator: ok
array_map: ok
usort: ok
recursion: ok
method calls: ok
waiting for another lock: ok
