--TEST--
RedisLock\LockLostException: the fiber that acquired the lock has ended or is suspended, or main waits for an event loop's fiber
--EXTENSIONS--
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$lock = fn (string $name) => new RedisLock($s->options(['name' => "lost_by_another-$name", 'interval' => 0.1, 'renew' => true]));
$busy = function (float $seconds) {
	for ($end = now() + $seconds; now() < $end;);
};

/** $code is told of the loss of the lock, by an exception. */
$told = function (string $name, callable $code) {
	try {
		$code();
		echo "$name: not told\n";
	} catch (RedisLock\LockLostException $e) {
		echo "$name: ", $e->getMessage(), "\n";
	}
};

/* Whoever has the object is told: main. */
$ended = fn (string $name) => ($fiber = new Fiber(function () use ($lock, $name) {
	$_ = ($acquired = $lock($name))->acquire();
	return $acquired;
})) && !$fiber->start() ? $fiber->getReturn() : null;
$kept = $ended('ended');
$told('its fiber has ended', fn () => [$redis('DEL', 'lost_by_another-ended'), $busy(5)]);

/* In another fiber, nobody; when that has ended, main. */
$kept = $ended('passed');
$told('main goes on', function () use ($redis, $busy) {
	(new Fiber(function () use ($redis, $busy) {
		$redis('DEL', 'lost_by_another-passed');
		$busy(0.5);
		echo "another fiber: undisturbed\n";
	}))->start();
	$busy(5);
});

/* Who asks has been told. */
$kept = $ended('asked');
$redis('DEL', 'lost_by_another-asked');
$told('asked', function () use ($kept, $busy) {
	(new Fiber(fn () => wait_until(fn () => !$kept->isHeld())))->start();
	$busy(0.3);
});

/* What a suspended fiber has lost disturbs no sleep of others. */
$fiber = new Fiber(function () use ($lock) {
	$acquired = $lock('suspended');
	$_ = $acquired->acquire();
	Fiber::suspend($acquired);
	for ($end = now() + 5; now() < $end;);
});
$kept = $fiber->start();
$redis('DEL', 'lost_by_another-suspended');
while ($kept->isHeld()) {
	usleep(1000);
}
usleep(1000);
echo 'main sleeps: ', sleep(1) === 0 ? 'ok' : 'woken', "\n"; /* that is what is tested */
$told('its fiber goes on', fn () => $fiber->resume());

/* An event loop, in which main waits: the loop ends with the exception, not a task that runs in it. */
$kept = $lock('main');
$_ = $kept->acquire();
$task = new Fiber(function () use ($busy) {
	try {
		$busy(2.5);
		echo "task: undisturbed\n";
	} catch (RedisLock\LockLostException) {
		echo "task: disturbed\n";
	}
});
$told('an event loop', fn () => (new Fiber(function () use ($redis, $busy, $task) {
	/* As on a busy machine: the first signals arrive as one. */
	pcntl_sigprocmask(SIG_BLOCK, [SIGURG]);
	$redis('DEL', 'lost_by_another-main');
	$busy(0.3);
	pcntl_sigprocmask(SIG_UNBLOCK, [SIGURG]);
	$task->start();
	$busy(20);
	echo "the loop has gone on\n";
}))->start());

/* One that sleeps. */
$_ = $kept->acquire();
$told('an idle event loop', fn () => (new Fiber(function () use ($redis) {
	$redis('DEL', 'lost_by_another-main');
	for ($end = now() + 20; now() < $end; usleep(1_000_000)); /* interrupted by the signal */
	echo "the loop has gone on\n";
}))->start());
?>
--EXPECT--
its fiber has ended: lock "lost_by_another-ended" was lost: its key was deleted or has another owner
another fiber: undisturbed
main goes on: lock "lost_by_another-passed" was lost: its key was deleted or has another owner
asked: not told
main sleeps: ok
its fiber goes on: lock "lost_by_another-suspended" was lost: its key was deleted or has another owner
task: undisturbed
an event loop: lock "lost_by_another-main" was lost: its key was deleted or has another owner
an idle event loop: lock "lost_by_another-main" was lost: its key was deleted or has another owner
