--TEST--
PHP's built-in server: a lost lock interrupts its request, and the process lives on
--SKIPIF--
<?php require __DIR__ . '/checks.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/checks.inc';

$s = new Server(true);
each_loss(new BuiltIn($s), $s->client(), 'built_in_lost');
--EXPECT--
busy: told, now of somebody else
asleep: told, now of somebody else
busy again: told, now of somebody else
