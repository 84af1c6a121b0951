--TEST--
A peer that does not speak RESP, or answers something else
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
foreach (['HTTP/1.1 400 Bad Request', ':5', '$2\r\nOK', '*1\r\n:1', '*-1', '+', '$-2', ':x',
	'*2\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1',
	'$70000\r\n' . str_repeat('x', 70000), '$999999999999', '-ERR something s else', '-', '-WRONGTYPE Operation',
		'-MOVED 1 127.0.0.1:1'] as $reply) {
	$server = new FakeServer("EXPECT SET not_redis * NX PX 60000\nSEND $reply\nSAY sent\nSILENCE");
	$lock = new RedisLock($server->options(['name' => 'not_redis', 'read_timeout' => 1]));
	try {
		echo substr($reply, 0, 12), ': ';
		var_dump($lock->acquire());
	} catch (RedisLock\ConnectionException $e) {
		echo preg_replace('/ \(unix.*/', '', $e->getMessage()), $e->getNode() ? '' : ', no node', $e->isRetryable() ?
			', retryable' : '', "\n";
	}
	if ($lock->isHeld()) {
		echo "held\n";
	}
	unset($lock);
	$server->await('sent');
}
?>
--EXPECT--
HTTP/1.1 400: lock "not_redis": the peer does not speak the Redis protocol
:5: lock "not_redis": the server sent a reply that does not fit the request
$2\r\nOK: lock "not_redis": the server sent a reply that does not fit the request
*1\r\n:1: lock "not_redis": the server sent a reply that does not fit the request
*-1: bool(false)
+: lock "not_redis": the server sent a reply that does not fit the request
$-2: lock "not_redis": the peer does not speak the Redis protocol
:x: lock "not_redis": the peer does not speak the Redis protocol
*2\r\n*1\r\n: lock "not_redis": the server did not answer in time, retryable
$70000\r\nxx: lock "not_redis": the server sent a reply of more than 65536 bytes
$99999999999: lock "not_redis": the server did not answer in time, retryable
-ERR somethi: lock "not_redis": the server answered: ERR something s else
-: lock "not_redis": the server answered: 
-WRONGTYPE O: lock "not_redis": the server answered: WRONGTYPE Operation
-MOVED 1 127: lock "not_redis": the server answered: MOVED 1 127.0.0.1:1
