--TEST--
Apache mod_php: a thousand requests leave nothing in their process but one renewal child
--SKIPIF--
<?php require __DIR__ . '/checks.inc'; skip_unless_apache();
--FILE--
<?php
require __DIR__ . '/checks.inc';

$s = new Server(true);
many_requests(new Apache($s), $s->client(), 'apache_requests', 1000);
--EXPECT--
wrong answers: 0, processes: 1, renewal children: 1, keys: 0
memory: ok
descriptors: ok
connections: ok
