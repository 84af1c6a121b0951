--TEST--
A server that does not take the connection: the connect timeout holds, retries included
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/timing.inc';
/* A full queue of connections: Linux then leaves a SYN without an answer. */
$listener = stream_socket_server('tcp://127.0.0.1:0', $code, $text, STREAM_SERVER_BIND | STREAM_SERVER_LISTEN,
	stream_context_create(['socket' => ['backlog' => 1]]));
$address = stream_socket_get_name($listener, false);
for ($i = 0; $i < 8; $i++) {
	$queue[] = stream_socket_client("tcp://$address", $code, $text, 0, STREAM_CLIENT_ASYNC_CONNECT);
}
$port = (int) substr(strrchr($address, ':'), 1);
foreach ([[0.2, 0], [0.1, 2]] as [$timeout, $retries]) {
	$limit = $timeout * ($retries + 1) + 0.01 * $retries;
	$times = [];
	for ($i = 0; $i < 3; $i++) {
		$lock = new RedisLock(['name' => 'default', 'host' => '127.0.0.1', 'port' => $port, 'timeout' => $timeout, 'retries' => $retries,
			'retry_interval' => 10, 'read_write_timeout' => 30]);
		$start = now();
		echo in_words_of_glibc(outcome(fn () => $lock->acquire())), "\n";
		$times[] = taken($start, null, $limit - 0.005);
	}
	expect_between('shortest', min($times), $limit - 0.005, $limit + 0.08);
	expect_between('longest', max($times), $limit - 0.005, $limit + 5);
}
?>
--EXPECTF--
RedisLock\ConnectionException: lock "default": cannot connect: Connection timed out (tcp://127.0.0.1:%d)
RedisLock\ConnectionException: lock "default": cannot connect: Connection timed out (tcp://127.0.0.1:%d)
RedisLock\ConnectionException: lock "default": cannot connect: Connection timed out (tcp://127.0.0.1:%d)
shortest: ok
longest: ok
RedisLock\ConnectionException: lock "default": cannot connect: Connection timed out (tcp://127.0.0.1:%d)
RedisLock\ConnectionException: lock "default": cannot connect: Connection timed out (tcp://127.0.0.1:%d)
RedisLock\ConnectionException: lock "default": cannot connect: Connection timed out (tcp://127.0.0.1:%d)
shortest: ok
longest: ok
