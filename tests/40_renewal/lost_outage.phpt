--TEST--
RedisLock\LockLostException: told when the ttl is over, while the server is still away, and the next owner is left alone
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$outages = [
	'stopped' => [$s->freeze(...), $s->thaw(...)],
	'read-only replica' => [fn () => $redis('REPLICAOF', '127.0.0.1', '1'), fn () => $redis('REPLICAOF', 'NO', 'ONE')],
];
foreach ($outages as $name => [$begin, $end]) {
	$config = $s->options(['name' => 'lost_outage', 'ttl' => 1.5, 'timeout' => 0.5, 'read_write_timeout' => 0.5]);
	$kept = null;
	try {
		SequenceTask::execute($config, function (RedisLock $lock) use ($begin, &$kept) {
			$kept = $lock;
			$begin();
			for (;;);
		});
	} catch (RedisLock\LockLostException $e) {
		echo "$name: ", $e->getMessage(), "\n";
		var_dump($e->hasResult());
	}
	$end();
	$other = new RedisLock($s->options(['name' => 'lost_outage', 'ttl' => 20, 'retry_ms' => 5]));
	var_dump($other->acquire(10), $kept->isHeld(), $kept->release(), $kept->keepAlive());
	unset($kept);
	var_dump($other->isAcquired(), $other->release());
}
--EXPECT--
stopped: lock "lost_outage" was lost: it could not be renewed in time
bool(false)
bool(true)
bool(false)
bool(false)
bool(false)
bool(true)
bool(true)
read-only replica: lock "lost_outage" was lost: it could not be renewed in time
bool(false)
bool(true)
bool(false)
bool(false)
bool(false)
bool(true)
bool(true)
