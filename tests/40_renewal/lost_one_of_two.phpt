--TEST--
RedisLock\LockLostException: names the lock that was lost, the other one goes on
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$lock = fn (string $name) => new RedisLock($s->options(['name' => "lost_one_of_two-$name", 'ttl' => 0.9, 'renew' => true]));
[$a, $b, $c] = [$lock('a'), $lock('b'), $lock('c')];
var_dump($a->acquire(), $b->acquire(), $c->acquire());

$redis('DEL', 'lost_one_of_two-b');
try {
	for (;;);
} catch (RedisLock\LockLostException $e) {
	echo $e->getMessage(), "\n";
}
$end = now() + 1.5;
while (now() < $end);
var_dump($a->isHeld(), $b->isHeld(), $c->isHeld(), $a->release(), $b->release(), $c->release());

/* Two lost at once are told one after the other. */
$a->acquire();
$b->acquire();
$redis('DEL', 'lost_one_of_two-a', 'lost_one_of_two-b');
$seen = [];
while (count($seen) < 2) {
	try {
		for (;;);
	} catch (RedisLock\LockLostException $e) {
		$seen[] = $e->getMessage();
	}
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
