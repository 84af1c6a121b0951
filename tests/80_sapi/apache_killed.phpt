--TEST--
Apache mod_php: the lock of a killed process is free at once
--SKIPIF--
<?php require __DIR__ . '/checks.inc'; skip_unless_apache();
--FILE--
<?php
require __DIR__ . '/checks.inc';

$s = new Server(true);
each_kill(new Apache($s), $s, 'apache_killed', [
	'SIGKILL, asleep' => ['sleep(60);', SIGKILL],
	'SIGKILL, busy' => ['for (;;);', SIGKILL],
	'SIGKILL, reading' => ['$pair = stream_socket_pair(1, 1, 0); fread($pair[0], 1);', SIGKILL],
	'SIGTERM, asleep' => ['sleep(60);', SIGTERM],
	'SIGTERM, busy' => ['for (;;);', SIGTERM],
]);
--EXPECT--
SIGKILL, asleep: ok
SIGKILL, busy: ok
SIGKILL, reading: ok
SIGTERM, asleep: ok
SIGTERM, busy: ok
another process is next
