--TEST--
RedisLock::setPoller(): a loss reaches the fiber that took the lock, and no other; where that cannot run any more, isHeld() tells
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/loop.inc';
require __DIR__ . '/../inc/waiting.inc';

$server = new Server;
$redis = $server->client();
$loop = new Loop;
$loop->install();
$lock = fn (string $name, array $more = []) => new RedisLock($server->options($more + ['name' => "lost:$name", 'renew' => true, 'interval' => 0.1]));
$observed = [];
RedisLock\observe(function (string $event, array $details) use (&$observed) {
	if ($event === 'lost') {
		$observed[] = $details['name'];
	}
});
/* Whoever runs now goes on: our process knows of the loss, and a signal that interrupts it has had time to come. */
$delete = function (RedisLock $held) use ($redis) {
	$redis('DEL', $held->getName());
	wait_until(fn () => $held->remaining() === 0.0);
	pause(0.1, 'whoever runs would be told meanwhile');
};
$told = function (string $name, callable $code) {
	try {
		$code();
		echo "$name: undisturbed\n";
	} catch (RedisLock\LockLostException $e) {
		echo "$name: ", $e->getMessage(), "\n";
	}
};

/* Suspended by itself, in a wait for another lock, and for an answer. Another fiber runs, then main. */
$ways = [
	'suspended' => fn () => null,
	'in the queue' => function () use ($lock) {
		$second = $lock('second', ['wait' => 60]);
		$_ = $second->acquire();
	},
	'for an answer' => function (RedisLock $held) use ($server) {
		$server->freeze();
		step('keepAlive', $held->keepAlive());
		return 'told by that';
	},
];
foreach ($ways as $way => $suspends) {
	$redis('SET', 'lost:second', 'another');
	$held = $lock('first');
	$loop->start(fn () => $told($way, function () use ($held, $suspends, $loop) {
		$_ = $held->acquire();
		if ($suspends($held) === 'told by that') {
			return;
		}
		for ($until = now() + 60; now() < $until; $loop->sleep(0.001));
	}));
	$loop->run(fn () => $held->isHeld() && ($way !== 'in the queue' || str_contains($redis('INFO', 'clients'), 'blocked_clients:1')));
	$server->thaw();
	(new Fiber(fn () => $told('another fiber', fn () => $delete($held))))->start();
	$told('main', fn () => pause(0.1, 'main would be told meanwhile'));
	$redis('DEL', 'lost:second');
	$loop->run();
	wait_until(fn () => $redis('EXISTS', 'lost:first', 'lost:second') === 0);
}

/* Nothing wakes a fiber that waits while it holds a lock, so it looks ten times a second whether that is lost. */
foreach (['nothing' => false, 'a lock' => true] as $holds => $has) {
	RedisLock::setPoller(function (array $read, array $write, ?float $seconds) use ($loop, &$longest) {
		$longest = max($longest, $seconds ?? INF);
		$loop->poll($read, $write, $seconds);
	});
	$redis('SET', 'lost:second', 'another');
	[$held, $second] = [$lock('first'), $lock('second', ['wait' => 60])];
	$loop->start(function () use ($has, $held, $second, &$longest) {
		$_ = $has && $held->acquire();
		$longest = 0.0;
		$_ = $second->acquire();
	});
	$loop->run(fn () => str_contains($redis('INFO', 'clients'), 'blocked_clients:1'));
	$redis('DEL', 'lost:second');
	$loop->run();
	step("holds $holds", $longest <= 0.1);
	foreach ([$held, $second] as $each) {
		$each->release();
	}
}
$loop->install();

/* Its fiber has ended: main, the loop of all, is not interrupted for it, nor is another fiber. */
$held = $lock('ended');
$loop->start(fn () => step('acquired', $held->acquire()));
$loop->run();
$observed = [];
$told('the loop', fn () => $delete($held));
$told('another fiber', fn () => $loop->start(fn () => pause(0.1, 'it would be told meanwhile')));
step('its fiber has ended', $held->isHeld(), implode($observed), $held->release());

/* Destroyed while it waits: what it cleans up is not cut short. */
$held = $lock('destroyed');
$fiber = $loop->start(function () use ($held, $loop) {
	$_ = $held->acquire();
	try {
		$loop->sleep(60);
	} finally {
		pause(0.1, 'it would be told meanwhile');
		step('cleaned up', $held->isHeld());
	}
});
$loop->run(fn () => $held->isHeld());
$delete($held);
$observed = [];
$loop->forget($fiber);
$told('destroys it', function () use (&$fiber) {
	$fiber = null;
});
step('its fiber is destroyed', $held->isHeld(), implode($observed), $held->release());

/* Suspended for ever: at the end of the script, too. */
$held = $lock('left');
$loop->start(function () use ($held, $loop) {
	$_ = $held->acquire();
	try {
		$loop->sleep(60);
	} finally {
		step('at the end', $held->isHeld());
	}
});
$loop->run(fn () => $held->isHeld());
$told('main', fn () => $delete($held));
?>
--EXPECT--
another fiber: undisturbed
main: undisturbed
suspended: lock "lost:first" was lost: its key was deleted or has another owner
another fiber: undisturbed
main: undisturbed
in the queue: lock "lost:first" was lost: its key was deleted or has another owner
another fiber: undisturbed
main: undisturbed
keepAlive: false
for an answer: undisturbed
holds nothing: false
holds a lock: true
acquired: true
the loop: undisturbed
another fiber: undisturbed
its fiber has ended: false, 'lost:ended', false
cleaned up: false
destroys it: undisturbed
its fiber is destroyed: false, 'lost:destroyed', false
main: undisturbed
at the end: false
