--TEST--
docs/operate/troubleshooting.md: every message it explains is one we have
--EXTENSIONS--
redislock
--FILE--
<?php
$top = dirname(__DIR__, 2);
$source = '';
foreach (glob("$top/src/*/*.[ch]") as $file) {
	/* Pieces of one literal are one. */
	$source .= preg_replace('/"\s*\n\s*"/', '', file_get_contents($file));
}
$source = stripcslashes($source);
preg_match_all('/^\| (`.*?) \|/m', file_get_contents("$top/docs/operate/troubleshooting.md"), $rows);
preg_match_all('/`(.+?)`/', implode("\n", $rows[1]), $messages);
/* Written by the system, or between our own words. */
$theirs = ['Cannot declare class RedLock, because the name is already in use', 'Cannot redeclare class RedisLock\RedLock', 'Connection refused', 'Connection timed out', 'Operation timed out', 'No such file or directory', 'Permission denied', 'MOVED', 'reached', ' host'];
foreach ($messages[1] as $message) {
	foreach (preg_split('/\s*…[, ]*|(?<=:) /', str_replace($theirs, '…', $message), -1, PREG_SPLIT_NO_EMPTY) as $piece) {
		$found = str_contains($source, $piece) || str_contains($source, rtrim($piece, '"'));
		echo $found ? '' : "$message: there is no \"$piece\"\n";
	}
}
echo count($messages[1]) > 25 ? 'messages were found' : 'the pattern for messages is wrong', "\n";
?>
--EXPECT--
messages were found
