--TEST--
Apache mod_php: a lost lock interrupts its request, and the process lives on
--SKIPIF--
<?php require __DIR__ . '/checks.inc'; skip_unless_apache();
--FILE--
<?php
require __DIR__ . '/checks.inc';

$s = new Server(true);
each_loss(new Apache($s), $s->client(), 'apache_lost');
--EXPECT--
busy: told, now of somebody else
asleep: told, now of somebody else
busy again: told, now of somebody else
