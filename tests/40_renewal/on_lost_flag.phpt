--TEST--
RedisLock: on_lost => flag throws nothing, isHeld() tells
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$config = $s->options(['name' => 'on_lost_flag', 'interval' => 0.1, 'on_lost' => 'flag']);

var_dump(SequenceTask::execute($config, function (RedisLock $lock) use ($redis) {
	$redis('DEL', 'on_lost_flag');
	echo comes_true(fn () => !$lock->isHeld()) ? "no longer held\n" : "still held\n";
	pause(0.3, 'an exception would come meanwhile');
	return 'the result';
}));

/* Lost without being noticed before the release. */
var_dump(SequenceTask::execute($config, fn () => $redis('DEL', 'on_lost_flag')));

$lock = new RedisLock($config + ['renew' => true]);
$_ = $lock->acquire();
$redis('DEL', 'on_lost_flag');
var_dump(comes_true(fn () => !$lock->isHeld()), $lock->release(), $lock->acquire(), $lock->release());
--EXPECT--
no longer held
string(10) "the result"
int(1)
bool(true)
bool(false)
bool(true)
bool(true)
