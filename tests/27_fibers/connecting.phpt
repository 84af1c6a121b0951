--TEST--
RedisLock::setPoller(): connecting, TLS, passwords, searches and pauses between tries suspend the fiber, too
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
$ways = ['SET' => ['host' => '127.0.0.1', 'port' => $port], 'AUTH' => ['host' => '127.0.0.1', 'port' => $port, 'password' => 'secret'],
	'pauses' => ['host' => '127.0.0.1', 'port' => $nobody, 'retries' => 3, 'retry_interval' => 60000], 'TLS' => ['host' => '127.0.0.1', 'scheme' => 'tls', 'port' => $port],
	'Sentinel' => ['sentinels' => ["tcp://127.0.0.1:$port"], 'service' => 'm'], 'no Sentinel' => ['sentinels' => ["tcp://127.0.0.1:$nobody"], 'service' => 'm'],
	'Cluster' => ['cluster' => ["127.0.0.1:$port"]]];
foreach ($ways as $way => $options) {
	$polls = $loop->polls;
	$fiber = $loop->start(function () use ($way, $options) {
		$lock = new RedisLock($options + ['name' => 'connecting', 'timeout' => 60, 'read_timeout' => 60]);
		try {
			$_ = $lock->acquire();
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
Sentinel, destroyed: bool(true)
no Sentinel, destroyed: bool(true)
Cluster, destroyed: bool(true)
