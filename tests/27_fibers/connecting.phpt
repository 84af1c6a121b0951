--TEST--
RedisLock::setPoller(): connecting, TLS, passwords and pauses between tries suspend the fiber, too
--SKIPIF--
<?php require __DIR__ . '/../inc/tls.inc'; skip_unless_tls(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/loop.inc';

$loop = new Loop;
$loop->install();
/* A server that accepts, and says nothing. */
$silent = stream_socket_server('tcp://127.0.0.1:0');
$port = (int) substr(strrchr(stream_socket_get_name($silent, false), ':'), 1);
$nobody = Server::freePort();
$ways = ['SET' => ['port' => $port], 'AUTH' => ['port' => $port, 'password' => 'secret'],
	'pauses' => ['port' => $nobody, 'retries' => 3, 'retry_interval' => 60000], 'TLS' => ['scheme' => 'tls', 'port' => $port]];
foreach ($ways as $way => $options) {
	$polls = $loop->polls;
	$fiber = $loop->start(function () use ($way, $options) {
		$lock = new RedisLock($options + ['host' => '127.0.0.1', 'name' => 'connecting', 'timeout' => 60, 'read_timeout' => 60]);
		try {
			$lock->acquire();
		} finally {
			echo "$way, destroyed: ";
		}
	});
	$suspended = !$fiber->isTerminated() && $loop->polls > $polls;
	$loop->forget($fiber);
	unset($fiber);
	var_dump($suspended);
}
?>
--EXPECT--
SET, destroyed: bool(true)
AUTH, destroyed: bool(true)
pauses, destroyed: bool(true)
TLS, destroyed: bool(true)
