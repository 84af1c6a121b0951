--TEST--
a Throwable the task returns is returned, not thrown
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$config = $s->options(['name' => 'throwable_as_value']);
foreach ([new RuntimeException('value'), new Error('value')] as $value) {
	try {
		var_dump(SequenceTask::execute($config, fn () => $value) === $value);
	} catch (Throwable $e) {
		echo 'thrown: ', get_class($e), "\n";
	}
}
--EXPECT--
bool(true)
bool(true)
