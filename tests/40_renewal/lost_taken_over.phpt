--TEST--
RedisLock: the key of the next owner is neither renewed nor released
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server(false, ...UNTRACKED); /* whoever is told finds out before the release does */
$redis = $s->client();
$config = $s->options(['name' => 'lost_taken_over', 'ttl' => 0.6]);

$key = function () use ($redis) {
	$ttl = $redis('PTTL', 'lost_taken_over');
	echo $redis('GET', 'lost_taken_over'), $ttl > 20000 && $ttl <= 25000 ? ' with its own ttl' : " $ttl", "\n";
};
try {
	SequenceTask::execute($config, function () use ($redis) {
		$redis('SET', 'lost_taken_over', 'next owner', 'PX', 25000);
		for (;;);
	});
} catch (RedisLock\LockLostException $e) {
	var_dump($e->hasResult());
}
$key();

try {
	SequenceTask::execute(['name' => 'lost_taken_over-2', 'ttl' => 30] + $config, fn () =>
		$redis('RENAME', 'lost_taken_over', 'lost_taken_over-2'));
} catch (RedisLock\LockLostException $e) {
	var_dump($e->hasResult());
}
$redis('RENAME', 'lost_taken_over-2', 'lost_taken_over');
$key();

/* Not a string at all: somebody else's as well. */
$redis('DEL', 'lost_taken_over');
$lock = new RedisLock($config + ['renew' => true]);
$_ = $lock->acquire();
try {
	/* In one step: the loss may be told right behind it. */
	$redis('EVAL', 'redis.call("DEL", KEYS[1]) redis.call("RPUSH", KEYS[1], "x")', 1, 'lost_taken_over');
	for (;;);
} catch (RedisLock\LockLostException) {
	unset($lock);
	echo $redis('TYPE', 'lost_taken_over'), ' ', $redis('PTTL', 'lost_taken_over'), "\n";
}
--EXPECT--
bool(false)
next owner with its own ttl
bool(true)
next owner with its own ttl
list -1
