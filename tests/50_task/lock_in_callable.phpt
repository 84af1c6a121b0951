--TEST--
SequenceTask::execute(): the callable may extend, release and acquire again itself
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$config = $s->options(['name' => 'lock_in_callable', 'ttl' => 30]);

/* Released early: nothing left to release, nothing lost. */
var_dump(SequenceTask::execute($config, function (RedisLock $lock) use ($redis) {
	return [$lock->release(), $lock->isHeld(), $redis('EXISTS', 'lock_in_callable')];
}));
var_dump(SequenceTask::execute($config, fn (RedisLock $lock) => $lock->release() && $lock->acquire() && $lock->isHeld()));
var_dump($redis('EXISTS', 'lock_in_callable'));

/* Given away: the key stays. */
$token = SequenceTask::execute($config, fn (RedisLock $lock) => $lock->detach());
var_dump($redis('GET', 'lock_in_callable') === $token);
$redis('DEL', 'lock_in_callable');

/* The object outlives its run, without the lock. */
$kept = SequenceTask::execute($config, fn (RedisLock $lock) => $lock);
var_dump($kept->isHeld(), $kept->getToken(), $kept->release(), $kept->acquire());
unset($kept);
var_dump($redis('EXISTS', 'lock_in_callable'));
--EXPECT--
array(3) {
  [0]=>
  bool(true)
  [1]=>
  bool(false)
  [2]=>
  int(0)
}
bool(true)
int(0)
bool(true)
bool(false)
NULL
bool(false)
bool(true)
int(0)
