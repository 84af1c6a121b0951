--TEST--
Thousands of hand-overs while holders and waiters are killed: never two inside, never a standstill
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
/* scripts/long/stress.sh runs it longer. */
require __DIR__ . '/../inc/redislock.inc';
passthru(implode(' ', array_map(escapeshellarg(...), [...Php::command(), __DIR__ . '/../stress/handovers.php', '4', '1000'])), $status);
var_dump($status);
?>
--EXPECTF--
taken %d times by 4 processes in %f s, %d %s from another one, %d killed, longest pause %f s, two inside 0 times (seed %d)
int(0)
