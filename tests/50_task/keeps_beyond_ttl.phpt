--TEST--
SequenceTask::execute(): a job longer than the ttl keeps its lock
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$other = new RedisLock($s->options(['name' => 'keeps_beyond_ttl']));

$config = $s->options(['name' => 'keeps_beyond_ttl', 'ttl' => 2.5, 'interval' => 0.1]);
SequenceTask::execute($config, function (RedisLock $lock) use ($redis, $other) {
	$end = now() + 3;
	[$free, $taken, $least] = [0, 0, 2500];
	while (now() < $end) {
		$left = $redis('PTTL', 'keeps_beyond_ttl');
		$free += $left <= 0 || !$lock->isHeld();
		$taken += $other->acquire();
		$least = min($least, $left);
		usleep(2000);
	}
	echo "seen free: $free, taken: $taken\n";
	expect_between('least time left (ms)', $least, 1, 2495);
});
var_dump($other->acquire());
--EXPECT--
seen free: 0, taken: 0
least time left (ms): ok
bool(true)
