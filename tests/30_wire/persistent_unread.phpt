--TEST--
Option persistent: the next object gets the connection also while an answer nobody waits for is on its way
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/faults.inc';
/* Acquired so late after it was woken that the extension leaves at once, and nobody waits for its answer. */
$waited = <<<'SCRIPT'
	EXPECT SET persistent_unread * NX PX 60000
	SEND $-1
	EXPECT EVALSHA * 6 persistent_unread {persistent_unread}:rlk:waiters ...
	SEND *4\r\n:0\r\n:50000\r\n:1\r\n:0
	EXPECT BLPOP ...
	EXPECT SET persistent_unread * NX PX 2000
	DELAY 600
	SEND *2\r\n$1\r\ns\r\n$1\r\n1
	SEND +OK
	EXPECT EVAL * 1 persistent_unread * 60000

	SCRIPT;
$next = 'EXPECT SET persistent_unread * NX PX 60000';
$cases = [
	'extended unread' => "$waited$next\nSEND :1\\r\\n+OK",
	'refused' => "$waited$next\nSEND -ERR no\\r\\n+OK",
	'half of it is there' => "{$waited}WAIT\nSENDRAW :\nSAY sent\n$next\nSEND 0\\r\\n+OK",
	/* An end that can be seen is. */
	'closed meanwhile' => "{$waited}WAIT\nCLOSE\nSAY sent\n$next\nSEND +OK",
	'answered and closed' => "{$waited}WAIT\nSEND :0\nCLOSE\nSAY sent\n$next\nSEND +OK",
	'more than that' => "{$waited}WAIT\nSEND :0\\r\\n:0\nSAY sent\nEXPECT-CLOSE\n$next\nSEND +OK",
];
foreach ($cases as $name => $script) {
	$server = new FakeServer($script);
	$options = $server->options(['name' => 'persistent_unread', 'persistent' => true]);
	echo "$name: ";
	$lock = new RedisLock($options);
	echo made_of_it(fn () => $lock->acquire(5)), ', ';
	unset($lock);
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
wait_until(fn () => $redis('EXISTS', 'persistent_unread') === 0);
?>
--EXPECT--
extended unread: true, true, played
refused: true, true, played
half of it is there: true, true, played
closed meanwhile: true, true, played
answered and closed: true, true, played
more than that: true, true, played
bool(true)
