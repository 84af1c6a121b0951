--TEST--
SequenceTask::execute(): nested runs of different names; of one name only when reentrant
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/timing.inc';

$s = new Server;
$redis = $s->client();
$config = fn (array $more) => $s->options($more + ['ttl' => 30]);

echo SequenceTask::execute($config(['name' => 'nested-a']), fn () => 'a' .
	SequenceTask::execute($config(['name' => 'nested-b']), fn () => 'b' . $redis('DBSIZE'))), "\n";

try {
	SequenceTask::execute($config(['name' => 'nested-a']), fn () => with_holder(fn () =>
		SequenceTask::execute($config(['name' => 'nested-a']), fn () => print("must not run\n"))));
} catch (RedisLock\NotAcquiredException $e) {
	echo 'not acquired: ', $e->getHolder()['pid'] === getmypid() ? 'held by ourselves' : '?', "\n";
}

$reentrant = $config(['name' => 'nested-a', 'reentrant' => true]);
SequenceTask::execute($reentrant, function (RedisLock $outer) use ($reentrant, $redis) {
	SequenceTask::execute($reentrant, function (RedisLock $inner) use ($outer) {
		var_dump($inner === $outer, $inner->getToken() === $outer->getToken());
	});
	echo 'still held: ', $redis('EXISTS', 'nested-a'), "\n";
});
echo 'held: ', $redis('DBSIZE'), "\n";
--EXPECT--
ab2
not acquired: held by ourselves
bool(false)
bool(true)
still held: 1
held: 0
