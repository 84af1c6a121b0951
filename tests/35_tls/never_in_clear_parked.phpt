--TEST--
TLS: an object that goes while it connects to one server of its quorum leaves nothing behind that is sent in clear
--EXTENSIONS--
posix
--SKIPIF--
<?php require __DIR__ . '/../inc/tls.inc'; skip_unless_tls();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';

$servers = servers(2);
$third = stream_socket_server('tcp://127.0.0.1:0', $code, $text, STREAM_SERVER_BIND | STREAM_SERVER_LISTEN,
	stream_context_create(['socket' => ['backlog' => 0]]));
$port = (int) substr(strrchr(stream_socket_get_name($third, false), ':'), 1);
$lock = new RedisLock(['servers' => [...addresses($servers), ['scheme' => 'tls', 'host' => '127.0.0.1', 'port' => $port,
	'ssl' => ['verify_peer' => false], 'password' => 'secret', 'timeout' => 0.2, 'read_timeout' => 0.2]], 'name' => 'job', 'ttl' => 30]);
/* Connected to the third, too, which says nothing. */
var_dump($lock->acquire());
/* Whoever comes now goes on connecting. */
$queued = [];
do {
	$queued[] = stream_socket_client("tcp://127.0.0.1:$port", $code, $text, 1, STREAM_CLIENT_CONNECT | STREAM_CLIENT_ASYNC_CONNECT);
	$read = $except = null;
	$write = [end($queued)];
} while (stream_select($read, $write, $except, 0, 50_000) > 0);
array_pop($queued);
/* It is given up in time, and tried again. The state 02 is SYN_SENT. */
$connecting = sprintf('/:%04X 02 /', $port);
wait_until(fn () => $lock->isAcquired() && preg_match($connecting, file_get_contents('/proc/net/tcp')));
$tried = now();
pause(0.4, 'the kernel knocks again after a second, which is then within the time that the rest of an object has');
unset($lock);

/* It is sent in passing, whatever is asked for. */
$other = new RedisLock($servers[0]->options(['name' => 'other'], true));
$came = [];
while (now() < $tried + 2) {
	$other->holder();
	if ($connection = @stream_socket_accept($third, 0.02)) {
		stream_set_blocking($connection, false);
		$came[] = [$connection, ''];
	}
	foreach ($came as $i => [$connection]) {
		$came[$i][1] .= fread($connection, 65536);
	}
}
$said = array_filter(array_column($came, 1), fn ($bytes) => $bytes !== '');
/* With byte 22 a TLS handshake begins; that of the first connection is there in any case. */
$clear = array_filter($said, fn ($bytes) => $bytes[0] !== "\x16" || str_contains($bytes, 'secret'));
var_dump(count($said) > 0);
echo $clear ? addcslashes(implode("\n", $clear), "\0..\37") : 'nothing in clear', "\n";
?>
--EXPECT--
bool(true)
bool(true)
nothing in clear
