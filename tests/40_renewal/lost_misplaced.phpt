--TEST--
RedisLock\LockLostException: arrives at once though most instructions are such that nothing may be thrown there
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/timing.inc';

$s = new Server;
$redis = $s->client();
/* The VM looks for interrupts behind each argument, where PHP would free arguments that are not there yet. */
$code = 'return function (bool $i) {
	for (;;) {
		nothing(' . implode(', ', array_fill(0, 200, '$i ? 1 : 2')) . ');
	}
};';
function nothing()
{
}
$loop = eval($code);
$seconds = [];
for ($n = 0; $n < 15; $n++) {
	try {
		SequenceTask::execute($s->options(['name' => 'lost_misplaced', 'interval' => 0.02]), function () use ($redis, $loop, &$start) {
			$start = now();
			$redis('DEL', 'lost_misplaced');
			$loop(true);
		});
	} catch (RedisLock\LockLostException) {
		$seconds[] = taken($start);
	}
}
sort($seconds);
expect_between('the third quartile', $seconds[11], 0, 0.2);
?>
--EXPECT--
the third quartile: ok
