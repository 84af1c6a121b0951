--TEST--
RedisLock\observe(): a loss while the observer runs is told behind it, to the code that holds the lock and to the observer
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$options = fn (string $name, array $more = []) => $more + $server->options(['name' => "observe_meanwhile:$name", 'interval' => 0.02]);
$held = null;
$lose = function () use ($redis, &$held) {
	$redis('DEL', $held->getName());
	wait_until(fn () => !$held->isHeld());
	pause(0.1, 'the observer would be told meanwhile');
	echo "  goes on\n";
};
RedisLock\observe(function (string $event, array $details) use ($lose) {
	echo "  $event ", substr($details['name'], 18), "\n";
	if ($event === 'released' && str_ends_with($details['name'], ':other')) {
		$lose();
	}
});
$other = new RedisLock($options('other'));
$release_other = function () use ($other) {
	$_ = $other->acquire();
	$other->release();
};
$wait = function () {
	wait_until(fn () => false);
};

try {
	SequenceTask::execute($options('callable'), function (RedisLock $lock) use (&$held, $release_other, $wait) {
		$held = $lock;
		$release_other();
		$wait();
	});
} catch (RedisLock\LockLostException $e) {
	step('in a callable', $e->getMessage());
}

$held = new RedisLock($options('flag', ['renew' => true, 'on_lost' => 'flag']));
$_ = $held->acquire();
$release_other();
wait_until(fn () => RedisLock\stats()['lost'] === 2);
step('a flag', $held->isHeld(), $held->release());

/* An object that dies in code: the observer is called from the VM. */
try {
	SequenceTask::execute($options('from_code'), function (RedisLock $lock) use (&$held, $options, $wait) {
		$held = $lock;
		(function () use ($options) {
			$bound = new RedisLock($options('other', ['renew' => true]));
			$_ = $bound->acquire();
		})();
		$wait();
	});
} catch (RedisLock\LockLostException $e) {
	step('an observer called from code', $e->getMessage());
}

/* What the observer itself holds it is told of while it runs. */
RedisLock\observe(function (string $event, array $details) use ($options, $redis, $wait) {
	try {
		SequenceTask::execute($options('own'), function (RedisLock $lock) use ($redis, $wait) {
			$redis('DEL', $lock->getName());
			$wait();
		});
	} catch (RedisLock\LockLostException $e) {
		step('of the observer itself', $event, $e->getMessage());
	}
});
$_ = $other->acquire();
RedisLock\observe(null);

/* The handler of a warning, whose exceptions are dropped, too. */
$silent = new Server();
set_error_handler(function (int $level, string $text) use ($lose) {
	echo '  ', strtok($text, ','), "\n";
	$lose();
	throw new ErrorException($text);
});
try {
	SequenceTask::execute($options('warned'), function (RedisLock $lock) use (&$held, $silent, $wait) {
		$held = $lock;
		SequenceTask::execute($silent->options(['name' => 'observe_meanwhile:silent', 'timeout' => 0.2]), fn () => $silent->freeze());
		$wait();
	});
} catch (RedisLock\LockLostException $e) {
	step('in the handler of a warning', $e->getMessage());
}
$silent->thaw();
wait_until(fn () => $silent->client()('EXISTS', 'observe_meanwhile:silent') === 0);
?>
--EXPECT--
  acquired callable
  acquired other
  released other
  goes on
  lost callable
in a callable: 'lock "observe_meanwhile:callable" was lost: its key was deleted or has another owner'
  acquired flag
  acquired other
  released other
  goes on
  lost flag
a flag: false, false
  acquired from_code
  acquired other
  released other
  goes on
  lost from_code
an observer called from code: 'lock "observe_meanwhile:from_code" was lost: its key was deleted or has another owner'
of the observer itself: 'acquired', 'lock "observe_meanwhile:own" was lost: its key was deleted or has another owner'
  SequenceTask::execute(): The task is done
  goes on
in the handler of a warning: 'lock "observe_meanwhile:warned" was lost: its key was deleted or has another owner'
