--TEST--
Apache mod_php: a renewal child that is idle for long ends between requests, not during one
--SKIPIF--
<?php require __DIR__ . '/checks.inc'; skip_unless_apache();
--FILE--
<?php
require __DIR__ . '/checks.inc';

idle_child(new Apache(new Server(true)), 'apache_child_idle');
--EXPECT--
a request without a lock sleeps well, then the child is gone
between requests it is reaped: true, and the next request has another one
