--TEST--
SequenceTask: cannot be constructed, extended or given something else than a callable
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

try {
	new SequenceTask;
} catch (Error $e) {
	echo $e->getMessage(), "\n";
}
try {
	SequenceTask::execute([], 'no such function');
} catch (TypeError $e) {
	echo $e->getMessage(), "\n";
}
try {
	SequenceTask::execute('tcp://127.0.0.1', 'time');
} catch (TypeError $e) {
	echo $e->getMessage(), "\n";
}
var_dump((new ReflectionClass(SequenceTask::class))->isFinal());
--EXPECT--
Call to private SequenceTask::__construct() from global scope
SequenceTask::execute(): Argument #2 ($callable) must be a valid callback, function "no such function" not found or invalid function name
SequenceTask::execute(): Argument #1 ($config) must be of type array, string given
bool(true)
