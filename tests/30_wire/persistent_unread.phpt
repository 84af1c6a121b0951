--TEST--
Option persistent: the next object gets the connection also while an answer nobody waits for is on its way
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/faults.inc';
$async = "EXPECT SET persistent_unread * NX PX 60000\nSEND +OK\nEXPECT EVAL ...\n";
$next = 'EXPECT SET persistent_unread * NX PX 60000';
/* The release by command finds the waiters key of somebody who waits, and has the script wake them. */
$woken = str_replace(' EVAL ', ' EVALSHA ', $async) . "SEND :1\nEXPECT COMMAND ...\n$next\nSEND *1\\r\\n\$5\\r\\ndelex\\r\\n+OK\n" .
	"EXPECT DELEX persistent_unread IFEQ *\nEXPECT EXISTS *\nSEND :1\\r\\n:1\nEXPECT EVAL ...\n";
$cases = [
	'released unread' => ["$async$next\nSEND :1\\r\\n+OK", 1, ['release_async' => true]],
	'somebody woken' => ["$woken$next\nSEND :0\\r\\n+OK", 2],
	'refused' => ["$woken$next\nSEND -ERR no\\r\\n+OK", 2],
	'half of it is there' => ["{$woken}WAIT\nSENDRAW :\nSAY sent\n$next\nSEND 0\\r\\n+OK", 2],
	/* An end that can be seen is. */
	'closed meanwhile' => ["{$woken}WAIT\nCLOSE\nSAY sent\n$next\nSEND +OK", 2],
	'answered and closed' => ["{$woken}WAIT\nSEND :0\nCLOSE\nSAY sent\n$next\nSEND +OK", 2],
	'more than that' => ["{$woken}WAIT\nSEND :0\\r\\n:0\nSAY sent\nEXPECT-CLOSE\n$next\nSEND +OK", 2],
];
foreach ($cases as $name => $case) {
	[$script, $pairs, $more] = $case + [2 => []];
	$server = new FakeServer($script);
	$options = $server->options($more + ['name' => 'persistent_unread', 'persistent' => true]);
	echo "$name: ";
	for ($i = 0; $i < $pairs; $i++) {
		$lock = new RedisLock($options);
		echo made_of_it(fn () => $lock->acquire() && $lock->release()), ', ';
		unset($lock);
	}
	if (str_contains($script, 'WAIT')) {
		$server->tell();
		$server->await('sent');
	}
	$lock = new RedisLock($options);
	echo made_of_it(fn () => $lock->acquire()), ', ', $server->verdict();
	unset($lock);
}

/* The extension behind a wait, which the system may keep for a moment, leaves with the object: nothing comes later. */
$server = new Server(true);
$redis = $server->client();
$redis('SET', 'persistent_unread', 'somebody', 'PX', 50);
$lock = new RedisLock($server->options(['name' => 'persistent_unread', 'persistent' => true], true));
var_dump($lock->acquire(5));
unset($lock);
$redis('PEXPIRE', 'persistent_unread', 300);
var_dump(wait_until(fn () => $redis('EXISTS', 'persistent_unread') === 0));
?>
--EXPECT--
released unread: true, true, played
somebody woken: true, true, true, played
refused: true, true, true, played
half of it is there: true, true, true, played
closed meanwhile: true, true, true, played
answered and closed: true, true, true, played
more than that: true, true, true, played
bool(true)
bool(true)
