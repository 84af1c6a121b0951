--TEST--
SequenceTask::execute(): option wait waits for the lock, and no longer than said
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
require_once __DIR__ . '/../inc/timing.inc';

$s = new Server;
$redis = $s->client();
$config = $s->options(['name' => 'wait', 'retry_ms' => 20]);
$start = now();
$redis('SET', 'wait', 'somebody', 'PX', 1000);
try {
	SequenceTask::execute($config + ['wait' => 0.1], fn () => print("must not run\n"));
} catch (RedisLock\NotAcquiredException) {
	expect_taken('gave up after', $start, 0.09, 2);
}
var_dump(SequenceTask::execute($config + ['wait' => 30], fn () => 'in'));
expect_taken('waited', $start, 0.999, 5);
--EXPECT--
gave up after: ok
string(2) "in"
waited: ok
