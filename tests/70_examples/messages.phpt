--TEST--
docs/guide/messages.md: mistakes as people make them get the message that stands there, of at most 200 characters
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/messages.inc';

$server = new Server(true);
$redis = $server->client();
$mistakes = new Mistakes($server, new Server(true));
$count = 0;
/* Time passes. */
$timeless = fn (string $said) => preg_replace('/\d+ s left/', 'N s left', $said);
/* PHP 8.5 and Redis 6.0 have other words. */
$old = [wrong_password() => 'WRONGPASS invalid username-password pair or user is disabled',
	'Cannot redeclare class RedisLock\RedLock' => 'Cannot declare class RedLock, because the name is already in use'];
['mistakes' => $mistakes_made, 'trouble' => $trouble] = require __DIR__ . '/../inc/messages_table.inc';
foreach ($mistakes_made as $rows) {
	foreach ($rows as [$code, $message]) {
		$said = $mistakes->said($code);
		if ($timeless(strtr(Mistakes::bare($said), $old)) !== $timeless($message)) {
			echo "$code\n\tsays    ", Mistakes::bare($said), "\n\tand not $message\n";
		}
		if (strlen(preg_replace('/^[\w\\\\]+: /', '', $said)) > 200) {
			echo "$code\n\tsays too much: $said\n";
		}
		$count++;
	}
}
echo $count >= 60 ? 'all said' : "only $count", "\n";

/* Trouble cannot be made here: the words must be in the sources, or be those of the system, a server or PHP. */
const OTHERS = ['Connection refused', 'Connection timed out', 'Operation timed out', 'No such file or directory', 'Permission denied', 'WRONGPASS', 'NOAUTH', 'NOPERM',
	'OOM', 'READONLY', 'LOADING', 'BUSY', 'MASTERDOWN', 'MISCONF', 'NOREPLICAS', 'ERR max number of clients reached', 'MOVED', 'ASK',
	'Cannot declare class RedLock, because the name is already in use', 'Cannot redeclare class RedisLock\RedLock'];
$sources = '';
foreach ([...glob(__DIR__ . '/../../src/*/*.c'), __DIR__ . '/../../redislock.c'] as $file) {
	/* As the compiler joins strings. */
	$sources .= stripslashes(preg_replace('/(?<!\\\\)"\s*"/', '', file_get_contents($file)));
}
$sought = 0;
foreach ($trouble as [$messages]) {
	preg_match_all('/`([^`]+)`/', $messages, $m);
	foreach ($m[1] as $message) {
		foreach (preg_split('/ ?… ?|: /', $message, -1, PREG_SPLIT_NO_EMPTY) as $words) {
			$sought++;
			if (!in_array($words, OTHERS, true) && !str_contains($sources, $words)) {
				echo "\"$message\": nothing says \"$words\"\n";
			}
		}
	}
}
echo $sought >= 60 ? 'all found' : "only $sought", "\n";
?>
--EXPECT--
all said
all found
