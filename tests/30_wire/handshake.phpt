--TEST--
A new connection shakes hands in one write, and trouble there is not a lock
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
foreach ([
	['+OK', '+OK', '+OK'],
	['-WRONGPASS invalid s3cret', '+OK', '+OK'],
	['+OK', '-ERR DB index is out of range', '+OK'],
	['+OK', '+OK', '-ERR no'],
	['-NOAUTH HELLO must be', '-NOAUTH', '-NOAUTH'],
	['-ERR max number of clients reached', '+OK', '+OK'],
] as $replies) {
	$goes_on = array_unique($replies) === ['+OK'] ? 
		"EXPECT SET handshake * NX PX 60000\nSEND +OK\n" : '';
	$server = new FakeServer("EXPECT AUTH ann s3cret\nEXPECT SELECT 3\nEXPECT CLIENT SETNAME me\nSEND " .
		implode('\r\n', $replies) . "\n{$goes_on}EXPECT-CLOSE");
	$lock = new RedisLock($server->options(['name' => 'handshake', 'auth' => ['ann', 's3cret'], 'database' => 3,
		'client_name' => 'me']));
	echo preg_replace('/ \(unix.*/', '', outcome(fn () => $lock->acquire())), "\n";
	unset($lock);
	echo $server->verdict();
}
?>
--EXPECT--
true
played
RedisLock\ConnectionException: lock "handshake": the server refused the credentials
played
RedisLock\ConnectionException: lock "handshake": the server answered: ERR DB index is out of range
played
RedisLock\ConnectionException: lock "handshake": the server answered: ERR no
played
RedisLock\ConnectionException: lock "handshake": the server refused the credentials
played
RedisLock\ConnectionException: lock "handshake": the server answered: ERR max number of clients reached
played
