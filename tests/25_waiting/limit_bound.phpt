--TEST--
acquire() of a process-bound lock returns in time, too, whatever keeps it from the server
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/waiting.inc';

/* The kernel takes the connections, and nobody answers. */
$mute = stream_socket_server('tcp://127.0.0.1:0');
$address = stream_socket_get_name($mute, false);
$nobody = '127.0.0.1:' . Server::freePort();
$cases = [
	'a mute server' => ["redis://:secret@$address"],
	'no answer to SET' => ["redis://$address"],
	'a mute sentinel' => ['sentinels' => [$address], 'service' => 'mymaster'],
	'no sentinel' => ['sentinels' => [$nobody], 'service' => 'mymaster'],
	'a mute node' => ['cluster' => ["redis://$address"], 'password' => 'secret'],
	'no node' => ['cluster' => [$nobody]],
];
foreach ($cases as $case => $server) {
	$lock = new RedisLock($server[0] ?? $server, ['name' => 'limit_bound', 'renew' => true, 'timeout' => 10, 'read_timeout' => 10]);
	$times = $answers = [];
	for ($i = 0; $i < 3; $i++) {
		$start = now();
		try {
			$answers[] = json_encode($lock->acquire(0.3));
		} catch (RedisLock\ConnectionException $e) {
			$answers[] = $e->isRetryable() ? 'retryable' : $e->getMessage();
		}
		$times[] = taken($start, null, 0.299);
	}
	/* Beside it the child is started, and on a busy machine that takes its turn, too. The limits it must not wait for are 10 s. */
	expect_between("$case: " . implode(', ', array_unique($answers)), max($times), 0.299, 5);
}
?>
--EXPECT--
a mute server: retryable: ok
no answer to SET: retryable: ok
a mute sentinel: retryable: ok
no sentinel: retryable: ok
a mute node: retryable: ok
no node: retryable: ok
