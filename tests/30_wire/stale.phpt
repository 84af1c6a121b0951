--TEST--
A connection that was closed while nobody used it costs an acquisition nothing: a new connection, a fresh token
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
$set = 'EXPECT SET stale * NX PX 60000';
$release = 'EXPECT EVALSHA * 3 stale {stale}:rlk:waiters {stale}:rlk:signal *';
$script = 'EXPECT EVALSHA * 1 stale * *';
$first = "$set\nSEND +OK\n$release\nSEND :1\n";
/* The second acquisition over a connection asks for compare commands in front. */
$broken = "EXPECT COMMAND ...\n$set\n";
/* Whether the first SET arrived is not known: its release goes first. */
$undo = "$release\nSEND :0\n";
$cases = [
	'hung up' => ["CLOSE\n$undo$set\nSEND +OK\n$release\nSEND :1"],
	'hung up behind what is somebody else\'s' => ["CLOSE\n$undo$set\nSEND \$-1"],
	'hung up behind what it did' => ["CLOSE\n$release\nSEND :1\n$set\nSEND +OK\n$release\nSEND :1"],
	'the release is refused' => ["CLOSE\n$release\nSEND -NOPERM User ann has no permissions to run the 'evalsha' command\n" .
		"EXPECT EVALSHA * 1 stale *\nSEND -NOPERM User ann has no permissions to run the 'evalsha' command\nEXPECT EVAL * 3 stale ...\nEXPECT-CLOSE"],
	'a second time' => ["CLOSE\n$undo$set\nCLOSE\nEXPECT EVAL * 3 stale ...\nSEND :0"],
	'the new one, too' => ["CLOSE\n$release\nCLOSE\n$release\nCLOSE"],
	'nobody there any more' => ["GONE\nCLOSE"],
	'a byte of the answer' => ["SENDRAW *\nCLOSE\nEXPECT EVAL * 3 stale ...\nSEND :0"],
	'an answer to what went ahead' => ["SEND *0\nCLOSE\nEXPECT EVAL * 3 stale ...\nSEND :0"],
	'no answer in time' => ["EXPECT EVAL * 3 stale ...\nEXPECT-CLOSE", ['read_timeout' => 1]],
];
foreach ($cases as $name => $case) {
	$server = new FakeServer($first . $broken . $case[0]);
	$lock = new RedisLock($server->options(['name' => 'stale'] + ($case[1] ?? [])));
	[$lock->acquire(), $lock->release()];
	echo "$name: ", preg_replace('/\(unix.*/', '(...)', outcome(fn () => $lock->acquire()));
	echo ' ', $lock->isHeld() ? json_encode($lock->release()) : 'not held', "\n";
	unset($lock);
	echo $server->verdict();
}
?>
--EXPECT--
hung up: true true
played
hung up behind what is somebody else's: false not held
played
hung up behind what it did: true true
played
the release is refused: RedisLock\ConnectionException: lock "stale": the server closed the connection (...) not held
played
a second time: RedisLock\ConnectionException: lock "stale": the server closed the connection (...) not held
played
the new one, too: RedisLock\ConnectionException: lock "stale": the server closed the connection (...) not held
played
nobody there any more: RedisLock\ConnectionException: lock "stale": the server closed the connection (...) not held
played
a byte of the answer: RedisLock\ConnectionException: lock "stale": the server closed the connection (...) not held
played
an answer to what went ahead: RedisLock\ConnectionException: lock "stale": the server closed the connection (...) not held
played
no answer in time: RedisLock\ConnectionException: lock "stale": the server did not answer in time (...) not held
played
