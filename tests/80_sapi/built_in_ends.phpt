--TEST--
PHP's built-in server: a lock ends with its request however that ends, and the process lives on
--SKIPIF--
<?php require __DIR__ . '/checks.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/checks.inc';

$s = new Server(true);
each_request_end(new BuiltIn($s), $s->client(), 'built_in_ends', REQUEST_ENDS);
--EXPECT--
return: went on, held, then free
exit(): text, held, then free
exit() in a nested call: text, held, then free
exception caught: caught, held, then free
exception uncaught: Uncaught DomainException, held, then free
fatal error: Non-abstract method, held, then free
memory_limit: Allowed memory, held, then free
max_execution_time: Maximum execution, held, then free
lock in a global: done, held, then free
lock in a global, fatal error: Non-abstract method, held, then free
lock in a local, fatal error: Non-abstract method, held, then free
lock in a static property: done, held, then free
suspended generator: text, held, then free
suspended fiber: done, held, then free
