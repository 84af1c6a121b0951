--TEST--
PHP-FPM: a lost lock interrupts its request, and the worker lives on
--SKIPIF--
<?php require __DIR__ . '/checks.inc'; skip_unless_fpm();
--FILE--
<?php
require __DIR__ . '/checks.inc';

$s = new Server(true);
each_loss(new Fpm($s), $s->client(), 'fpm_lost');
--EXPECT--
busy: told, now of somebody else
asleep: told, now of somebody else
busy again: told, now of somebody else
