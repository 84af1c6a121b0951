--TEST--
RedisLock\observe(): tells of the events of locks when the method that caused them is done
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$lock = new RedisLock($server->options(['name' => 'observe']));
$other = new RedisLock($server->options(['name' => 'observe']));
$print = function (string $event, array $details): void {
	$server = str_replace(sys_get_temp_dir(), '', $details['server']);
	echo "  $event $details[name], $details[kind]", $details['wait'] > 0 ? ', waited' : '',
		$details['hold'] !== null ? ', was held' : '', str_starts_with($server, 'unix://') ? '' : " at $server", "\n";
};
RedisLock\observe($print);
step('acquire', $lock->acquire());
step('refuse', $other->acquire());
step('refuse after a wait', $other->acquire(0.5));
step('release', $lock->release());
step('not held', $lock->release());
step('lock and unlock', $lock->lock('observe:2'), $lock->unlock('observe:2'));
$_ = $lock->acquire();
$redis('DEL', 'observe');
step('lost', $lock->keepAlive());
step('execute', SequenceTask::execute($server->options(['name' => 'observe:task']), fn () => 'result'));
try {
	$_ = $lock->acquire();
	SequenceTask::execute($server->options(['name' => 'observe']), fn () => 'result');
} catch (RedisLock\NotAcquiredException $e) {
	step('not acquired', get_class($e));
}
$lock->release();

echo "a destructor:\n";
(function () use ($server) {
	$bound = new RedisLock($server->options(['name' => 'observe:bound', 'renew' => true]));
	$_ = $bound->acquire();
})();
for ($i = 0; $i < 3; $i++);

echo "an observer that locks:\n";
RedisLock\observe(function (string $event) use ($server) {
	$own = new RedisLock($server->options(['name' => 'observe:own']));
	step("  $event", $own->acquire(), $own->release());
});
$_ = $lock->acquire();
$lock->release();

echo "one that throws:\n";
RedisLock\observe(function (string $event) {
	throw new LogicException("at $event");
});
step('acquired', $lock->acquire());
try {
	SequenceTask::execute($server->options(['name' => 'observe']), fn () => 'result');
} catch (RedisLock\NotAcquiredException $e) {
	step('not acquired', get_class($e), $e->getPrevious());
}
set_error_handler(fn (int $level, string $text) => throw new ErrorException($text));
step('with a handler that throws', $lock->release());
restore_error_handler();

echo "one that suspends its fiber:\n";
RedisLock\observe(fn () => Fiber::suspend());
(new Fiber(fn () => step('acquired', $lock->acquire(), $lock->release())))->start();

echo "another one while it is called, and none:\n";
RedisLock\observe(function () use ($print) {
	RedisLock\observe($print);
});
$_ = $lock->acquire();
$lock->release();
RedisLock\observe(null);
$_ = $lock->acquire();

echo "the end of the request:\n";
$php = new Php('
	RedisLock\observe(fn (string $event, array $details) => print("  $event $details[name]\n"));
	$lock = new RedisLock(unserialize($argv[1]) + ["name" => "observe:end", "renew" => true]);
	$_ = $lock->acquire();
', [serialize($server->options())]);
echo $php->rest();
?>
--EXPECTF--
  acquired observe, lease
acquire: true
  refused observe, lease
refuse: false
  waited observe, lease, waited
  refused observe, lease, waited
refuse after a wait: false
  released observe, lease, was held
release: true
not held: false
  acquired observe:2, lease
  released observe:2, lease, was held
lock and unlock: true, true
  acquired observe, lease
  lost observe, lease, was held
lost: false
  acquired observe:task, process-bound
  released observe:task, process-bound, was held
execute: 'result'
  acquired observe, lease
  refused observe, process-bound
not acquired: 'RedisLock\\NotAcquiredException'
  released observe, lease, was held
a destructor:
  acquired observe:bound, process-bound
  released observe:bound, process-bound, was held
an observer that locks:
  acquired: true, true
  released: true, true
one that throws:

Warning: RedisLock::acquire(): The observer of locks has thrown LogicException: at acquired in %s on line %d
acquired: true

Warning: SequenceTask::execute(): The observer of locks has thrown LogicException: at refused in %s on line %d
not acquired: 'RedisLock\\NotAcquiredException', NULL
with a handler that throws: true
one that suspends its fiber:

Warning: RedisLock::acquire(): The observer of locks has thrown FiberError: Cannot switch fibers in current execution context in %s on line %d

Warning: RedisLock::release(): The observer of locks has thrown FiberError: Cannot switch fibers in current execution context in %s on line %d
acquired: true, true
another one while it is called, and none:
  released observe, lease, was held
the end of the request:
  acquired observe:end
  released observe:end
