--TEST--
RedisLock::keepAlive(): a process-bound lock cannot do without expiry
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$lock = new RedisLock($s->options(['name' => 'renewed_keepalive_zero', 'renew' => true]));
$_ = $lock->acquire();
try {
	$_ = $lock->keepAlive(0);
} catch (ValueError $e) {
	echo $e->getMessage(), "\n";
}
expect_between('ttl', $s->client()('PTTL', 'renewed_keepalive_zero'), 20000, 30000);
SequenceTask::execute($s->options(['name' => 'renewed_keepalive_zero-2']), function (RedisLock $lock) {
	try {
		$_ = $lock->keepAlive(0);
	} catch (ValueError $e) {
		echo $e->getMessage(), "\n";
	}
});
--EXPECT--
RedisLock::keepAlive(): Argument #1 ($ttl) may be 0 only for a lease on one server, without hold_at_least and fence
ttl: ok
RedisLock::keepAlive(): Argument #1 ($ttl) may be 0 only for a lease on one server, without hold_at_least and fence
