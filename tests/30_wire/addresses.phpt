--TEST--
Host names: several addresses of which some are dead, no answer of the name service, and no such name
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
require __DIR__ . '/../inc/names.inc';
skip_unless_names();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
require __DIR__ . '/../inc/names.inc';
/* getaddrinfo() sorts: what has most bits in common with 127.0.0.1 comes first. The server is at .64 therefore; at .1, .2
 * and .4 are listeners whose queues are full, which Linux leaves without an answer, and at .8 is nobody. */
$server = new Server(true, '--bind', '127.0.0.64');
foreach (['127.0.0.1', '127.0.0.2', '127.0.0.4'] as $address) {
	$dead[] = stream_socket_server("tcp://$address:$server->port", $code, $text, STREAM_SERVER_BIND | STREAM_SERVER_LISTEN,
		stream_context_create(['socket' => ['backlog' => 1]]));
	for ($i = 0; $i < 8; $i++) {
		$dead[] = stream_socket_client("tcp://$address:$server->port", $code, $text, 0, STREAM_CLIENT_ASYNC_CONNECT);
	}
}
$hosts = '';
foreach (['dead-first' => [1, 64], 'refusing-first' => [8, 64], 'many-dead' => [1, 2, 4, 64], 'all-dead' => [1, 2]] as $name => $addresses) {
	foreach ($addresses as $last) {
		$hosts .= "127.0.0.$last $name.test\n";
	}
}
$names = new Names($server->dir, $hosts);
$client = proc_open($names->command(__DIR__ . '/addresses.inc', (string) $server->port), [['pipe', 'r'], ['pipe', 'w']], $pipes);
while (($line = fgets($pipes[1])) !== "unknown\n" && $line !== false) {
	echo $line;
}
while (stream_socket_recvfrom($names->service, 512)); /* what was asked so far */
fwrite($pipes[0], "go\n");
echo 'asked: ';
do {
	$read = [$pipes[1], $names->service];
	$write = $except = [];
	stream_select($read, $write, $except, 20);
	if ($question = stream_socket_recvfrom($names->service, 512, 0, $from)) {
		stream_socket_sendto($names->service, substr($question, 0, 2) . "\x81\x83" . substr($question, 4), 0, $from);
	}
} while (!in_array($pipes[1], $read, true));
echo stream_get_contents($pipes[1]);
/* Whoever was given up on while it waited for the name service is no trouble for the end of the process. */
echo 'exit ', proc_close($client), "\n";
?>
--EXPECT--
dead-first.test: acquired, in time
dead-first.test: acquired, in time
refusing-first.test: acquired, in time
many-dead.test: acquired, in time
many-dead.test: acquired, in time
all-dead.test: lock "default": cannot connect: Connection timed out (retryable, in time
bool(true)
bool(true)
bool(true)
asking
silent.test: lock "default": cannot resolve the host name: no answer in time (retryable, in time
silent.test: lock "default": cannot resolve the host name: no answer in time (retryable, in time
RedisLock\ConnectionException in time
silent.test: lock "default": cannot resolve the host name: no answer in time (retryable, in time
bool(true)
bool(false)
bool(true)
DomainException
bool(true)
DomainException
ended: {"exit":255}
ended: {"exit":0}
ended: {"exit":255}
threads: some
silent.test: lock "default": cannot resolve the host name: no answer in time (retryable, in time
asked: nobody.test: lock "default": cannot resolve the host name: Name or service not known (retryable, in time
exit 0
