--TEST--
PHP-FPM: a renewal child that is idle for long ends between requests, not during one
--SKIPIF--
<?php require __DIR__ . '/checks.inc'; skip_unless_fpm();
--FILE--
<?php
require __DIR__ . '/checks.inc';

idle_child(new Fpm(new Server(true)), 'fpm_child_idle');
--EXPECT--
a request without a lock sleeps well, then the child is gone
between requests it is reaped: true, and the next request has another one
