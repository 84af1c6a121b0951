--TEST--
PHP's built-in server: a thousand requests leave nothing in their process but one renewal child
--SKIPIF--
<?php require __DIR__ . '/checks.inc'; skip_unless_server();
--FILE--
<?php
/* slow: a thousand requests */
require __DIR__ . '/checks.inc';

$s = new Server(true);
many_requests(new BuiltIn($s), $s->client(), 'built_in_requests', 1000);
--EXPECT--
wrong answers: 0, processes: 1, renewal children: 1, keys: 0
memory: ok
descriptors: ok
connections: ok
