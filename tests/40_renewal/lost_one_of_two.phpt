--TEST--
RedisLock\LockLostException: names the lock that was lost, the other one goes on
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$lock = fn (string $name) => new RedisLock($s->options(['name' => "lost_one_of_two-$name", 'ttl' => 30, 'interval' => 0.2,
	'renew' => true]));
[$a, $b, $c] = [$lock('a'), $lock('b'), $lock('c')];
var_dump($a->acquire(), $b->acquire(), $c->acquire());

try {
	$redis('DEL', 'lost_one_of_two-b');
	for (;;);
} catch (RedisLock\LockLostException $e) {
	echo $e->getMessage(), "\n";
}
var_dump(is_renewed($redis, 'lost_one_of_two-a') && $a->isHeld(), $b->isHeld(),
	is_renewed($redis, 'lost_one_of_two-c') && $c->isHeld(), $a->release(), $b->release(), $c->release());

/* Two lost at once are told one after the other. */
$_ = $a->acquire();
$_ = $b->acquire();
try {
	try {
		$redis('DEL', 'lost_one_of_two-a', 'lost_one_of_two-b');
		for (;;);
	} catch (RedisLock\LockLostException $first) {
		for (;;);
	}
} catch (RedisLock\LockLostException $second) {
	$seen = [$first->getMessage(), $second->getMessage()];
}
sort($seen);
echo implode("\n", $seen), "\n";
--EXPECT--
bool(true)
bool(true)
bool(true)
lock "lost_one_of_two-b" was lost: its key was deleted or has another owner
bool(true)
bool(false)
bool(true)
bool(true)
bool(false)
bool(true)
lock "lost_one_of_two-a" was lost: its key was deleted or has another owner
lock "lost_one_of_two-b" was lost: its key was deleted or has another owner
