--TEST--
PHP-FPM: a thousand requests leave nothing in their worker but one renewal child
--SKIPIF--
<?php require __DIR__ . '/checks.inc'; skip_unless_fpm();
--FILE--
<?php
require __DIR__ . '/checks.inc';

$s = new Server(true);
many_requests(new Fpm($s), $s->client(), 'fpm_requests', 1000);
--EXPECT--
wrong answers: 0, processes: 1, renewal children: 1, keys: 0
memory: ok
descriptors: ok
connections: ok
