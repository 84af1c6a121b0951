--TEST--
Apache mod_php: stopped while a lock is held, it can start again at the same port at once
--SKIPIF--
<?php require __DIR__ . '/checks.inc'; skip_unless_apache();
--FILE--
<?php
require __DIR__ . '/checks.inc';

$s = new Server(true);
$port = Server::freePort();
stop_and_start('SIGTERM', $s, 'apache_stop', SIGTERM, fn () => new Apache($s, $port));
--EXPECT--
SIGTERM: stopped, the child lives, next: refused, then: in
