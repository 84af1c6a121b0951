--TEST--
SequenceTask::current(): the innermost lock of this fiber, null outside
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$config = fn (string $name) => $s->options(['name' => "current-$name"]);
$name = fn () => SequenceTask::current()?->getName() ?? 'none';

echo $name(), "\n";
SequenceTask::execute($config('a'), function () use ($config, $name) {
	echo $name(), "\n";
	SequenceTask::execute($config('b'), function (RedisLock $lock) use ($config, $name) {
		echo $name(), ' ', var_export(SequenceTask::current() === $lock, true), "\n";
		(new RedisLock($config('c')))->synchronized(function () use ($name) {
			echo $name(), "\n";
		});
		$fiber = new Fiber(function () use ($config, $name) {
			echo 'fiber: ', $name(), "\n";
			SequenceTask::execute($config('d'), function () use ($name) {
				echo 'fiber: ', $name(), "\n";
				Fiber::suspend();
				echo 'fiber again: ', $name(), "\n";
			});
			echo 'fiber: ', $name(), "\n";
		});
		$fiber->start();
		echo 'outside of the fiber: ', $name(), "\n";
		$fiber->resume();
		try {
			SequenceTask::execute($config('e'), fn () => throw new Exception);
		} catch (Exception) {
		}
		echo 'after an exception: ', $name(), "\n";
	});
	echo $name(), "\n";
});
echo $name(), "\n";
--EXPECT--
none
current-a
current-b true
current-c
fiber: none
fiber: current-d
outside of the fiber: current-b
fiber again: current-d
fiber: none
after an exception: current-b
current-a
none
