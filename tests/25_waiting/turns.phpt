--TEST--
Who comes again and again gets the same turns as the others, and waits for no more than their turns take
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
/* scripts/long/stress.sh runs it longer. Here, too, all wait for longer than any slice is. */
require __DIR__ . '/../inc/redislock.inc';
$command = implode(' ', array_map(escapeshellarg(...), [...Php::command(), __DIR__ . '/../stress/turns.php', '24', '0.25', '13']));
/* A newcomer whose request the server reads in the same moment as a release costs somebody a place: rare, not twice. */
for ($tries = 2, $status = 1; $tries > 0 && $status !== 0; $tries--) {
	$said = exec($command, $all, $status);
}
echo $said, "\n";
var_dump($status);
?>
--EXPECTF--
%d turns of 24 processes that hold for 0.25 s, %d of difference; longest wait %f of the fair share; out of order: 0
int(0)
