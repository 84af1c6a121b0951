--TEST--
Messages: mistakes as people make them get one of at most 200 characters
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
foreach (require __DIR__ . '/../inc/messages_table.inc' as $rows) {
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
?>
--EXPECT--
all said
