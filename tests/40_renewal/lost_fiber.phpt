--TEST--
RedisLock\LockLostException: is thrown in the fiber that holds the lock, and in no other
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$lost = fn ($lock) => comes_true(fn () => !$lock->isHeld());

$fiber = new Fiber(function () use ($s) {
	try {
		SequenceTask::execute($s->options(['name' => 'lost_fiber', 'interval' => 0.1]), function (RedisLock $lock) {
			Fiber::suspend($lock);
			for (;;);
		});
	} catch (RedisLock\LockLostException $e) {
		echo 'in the fiber: ', $e->getMessage(), "\n";
	}
});
$lock = $fiber->start();
$redis('DEL', 'lost_fiber');
var_dump($lost($lock));
pause(0.3, 'main would be told meanwhile');
(new Fiber(fn () => pause(0.2, 'this one would be told meanwhile')))->start();
echo "main and another fiber: undisturbed\n";
$fiber->resume();

/* The other way round: held by main, a fiber is running. */
$lock = new RedisLock($s->options(['name' => 'lost_fiber', 'interval' => 0.1, 'renew' => true]));
$_ = $lock->acquire();
try {
	(new Fiber(function () use ($redis, $lost, $lock) {
		$redis('DEL', 'lost_fiber');
		var_dump($lost($lock));
		pause(0.2, 'the fiber would be told meanwhile');
		echo "fiber: undisturbed\n";
	}))->start();
	for (;;);
} catch (RedisLock\LockLostException $e) {
	echo 'in main: ', $e->getMessage(), "\n";
}

/* Plain locks of two fibers: told in the one that lost its lock, when it runs; the other one goes on. */
$fiber = fn (string $name) => new Fiber(function () use ($s, $redis, $name) {
	$redis('SET', "lost_fiber-$name", 'somebody', 'PX', 50);
	$lock = new RedisLock($s->options(['name' => "lost_fiber-$name", 'interval' => 0.1, 'retry_ms' => 5, 'renew' => true]));
	$_ = $lock->acquire(20);
	try {
		Fiber::suspend($lock); /* since PHP 8.4 it may come right here */
		pause(0.3, 'for the one that lost its lock to be told');
		echo "fiber $name: undisturbed, ", json_encode($lock->release()), "\n";
	} catch (RedisLock\LockLostException $e) {
		echo "fiber $name: ", $e->getMessage(), "\n";
	}
});
[$a, $b] = [$fiber('a'), $fiber('b')];
[$a->start(), $lock = $b->start()];
$redis('DEL', 'lost_fiber-b');
var_dump($lost($lock));
$a->resume();
$b->resume();
--EXPECT--
bool(true)
main and another fiber: undisturbed
in the fiber: lock "lost_fiber" was lost: its key was deleted or has another owner
bool(true)
fiber: undisturbed
in main: lock "lost_fiber" was lost: its key was deleted or has another owner
bool(true)
fiber a: undisturbed, true
fiber b: lock "lost_fiber-b" was lost: its key was deleted or has another owner
