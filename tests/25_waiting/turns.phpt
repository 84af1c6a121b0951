--TEST--
Who comes again and again gets the same turns as the others, and waits for no more than their turns take
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
/* slow: turns of many seconds are counted */
/* scripts/long/stress.sh runs it longer. Here, too, all wait for longer than any slice is. */
require __DIR__ . '/../inc/redislock.inc';
$command = implode(' ', array_map(escapeshellarg(...), [...Php::command(), __DIR__ . '/../stress/turns.php', '24', '0.25', '13']));
echo exec($command, $all, $status), "\n";
var_dump($status);
?>
--EXPECTF--
%d turns of 24 processes that hold for 0.25 s, %d of difference; longest wait %f of the fair share; out of order: %d
int(0)
