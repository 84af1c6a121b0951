--TEST--
Option persistent: a connection that is out of step is not handed to the next object
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/faults.inc';
$first = "EXPECT SET persistent_unfit * NX PX 60000\n";
$next = "EXPECT SET persistent_unfit * NX PX 60000\nSEND +OK";
$cases = [
	/* The second acquisition over a connection asks for native commands in front of it. */
	'in order' => [$first . "SEND +OK\nEXPECT COMMAND ...\n", str_replace('SEND +OK', 'SEND *0\r\n+OK', $next)],
	'a reply more than asked for' => [$first . "SENDRAW +OK\\r\\n+OK\\r\\n\nEXPECT-CLOSE\n", $next],
	'a reply more, later' => [$first . "SEND +OK\nWAIT\nSEND +OK\nSAY sent\nEXPECT-CLOSE\n", $next, 'later'],
	'half a reply more, later' => [$first . "SEND +OK\nWAIT\nSENDRAW +\nSAY sent\nEXPECT-CLOSE\n", $next, 'later'],
	'closed, later' => [$first . "SEND +OK\nWAIT\nCLOSE\nSAY sent\n", $next, 'later'],
	/* The reply to the first is not one to the next. */
	'an answer that did not come in time' => [$first . "EXPECT EVAL ...\nSENDRAW +OK\\r\\n:1\\r\\n\nEXPECT-CLOSE\n", $next, 'silent'],
	'half an answer' => [$first . "SENDRAW +O\nEXPECT EVAL ...\nSENDRAW K\\r\\n:1\\r\\n\nEXPECT-CLOSE\n", $next, 'silent'],
	/* The release goes over another connection, which is in step. */
	'closed before the answer' => [$first . "CLOSE\nEXPECT EVAL ...\n", str_replace('SEND +OK', 'SEND :1\r\n+OK', $next)],
];
foreach ($cases as $name => $case) {
	$server = new FakeServer($case[0] . $case[1]);
	$options = $server->options(['name' => 'persistent_unfit', 'persistent' => true]);
	$when = $case[2] ?? '';
	$lock = new RedisLock($options + ['read_timeout' => $when === 'silent' ? 0.1 : 2]);
	$said = made_of_it(fn () => $lock->acquire());
	unset($lock);
	if ($when === 'later') {
		$server->tell();
		$server->await('sent');
		pause(0.002, 'a connection used in the same millisecond is not looked at: RLK_CONN_FRESH_MS');
	}
	$lock = new RedisLock($options);
	$said .= ', ' . made_of_it(fn () => $lock->acquire());
	unset($lock);
	echo "$name: $said, ", $server->verdict();
}
?>
--EXPECT--
in order: true, true, played
a reply more than asked for: true, true, played
a reply more, later: true, true, played
half a reply more, later: true, true, played
closed, later: true, true, played
an answer that did not come in time: C+, true, played
half an answer: C+, true, played
closed before the answer: C+, true, played
