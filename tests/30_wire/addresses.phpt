--TEST--
Host names: several addresses of which some are dead, no answer of the name service, and no such name
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
require __DIR__ . '/../inc/mounts.inc';
if (mounts_of_its_own() === null || posix_geteuid() !== 0) {
	die('skip needs root and mount namespaces, to have a hosts file and a name service of its own');
}
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
require __DIR__ . '/../inc/mounts.inc';
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
file_put_contents("$server->dir/hosts", $hosts);
/* A name service that is asked by the names that are not in the file; told nothing, or "no such name". */
$address = sprintf('127.%d.%d.%d', 100 + (getmypid() >> 16) % 100, getmypid() >> 8 & 255, getmypid() & 255);
$names = stream_socket_server("udp://$address:53", $code, $text, STREAM_SERVER_BIND);
stream_set_blocking($names, false);
file_put_contents("$server->dir/resolv", "nameserver $address\n");
file_put_contents("$server->dir/nsswitch", "hosts: files dns\n");

file_put_contents("$server->dir/client.php", '<?php require ' . var_export(realpath(__DIR__ . '/../inc/outcome.inc'), true) .
	'; require ' . var_export(realpath(__DIR__ . '/../inc/timing.inc'), true) . ";\n" . <<<'CODE'
	$port = (int) $argv[1];
	/* What came of it, and whether the time that it took is what it should be. */
	function attempt(string $host, float $timeout, float $least, float $limit, array $more = []): void
	{
		global $port;
		$start = now();
		try {
			$lock = new RedisLock(['host' => $host, 'port' => $port, 'timeout' => $timeout, 'name' => 'default'] + $more);
			$said = $lock->acquire() ? 'acquired' : 'not acquired';
			$lock->release();
		} catch (RedisLock\ConnectionException $e) {
			$said = preg_replace('/tcp:.*/', '', $e->getMessage()) . ($e->isRetryable() ? 'retryable' : 'not retryable');
		}
		$took = taken($start, null, $least);
		echo "$host: $said, ", $took >= $least - 0.002 && $took <= $limit ? 'in time' : sprintf('%.3f', $took), "\n";
	}
	attempt('dead-first.test', 5, 0.1, 0.13);
	attempt('dead-first.test', 0.1, 0.05, 0.08);
	attempt('refusing-first.test', 5, 0, 0.03);
	attempt('many-dead.test', 5, 0.3, 0.33);
	attempt('many-dead.test', 0.4, 0.3, 0.33);
	attempt('all-dead.test', 0.3, 0.3, 0.33);

	/* The renewal child has the same addresses, and a lock that does not last until the dead one is given up. */
	$lock = new RedisLock(['host' => 'dead-first.test', 'port' => $port, 'name' => 'renewed', 'ttl' => 3, 'interval' => 0.3,
		'timeout' => 5, 'renew' => true]);
	$lock->acquire();
	pause(0.05, 'what is left has to be less than after a renewal');
	$before = $lock->remaining();
	var_dump(comes_true(fn () => $lock->remaining() > $before), $lock->isHeld(), $lock->release());

	echo "asking\n";
	attempt('silent.test', 0.3, 0.3, 0.33);
	attempt('silent.test', 0.1, 0.3, 0.33, ['retries' => 1]);
	$start = now();
	try {
		$lock = new RedisLock(['host' => 'silent.test', 'timeout' => 0.2, 'name' => 'renewed', 'renew' => true]);
		$lock->acquire();
	} catch (RedisLock\Exception $e) {
		echo get_class($e), ' ', now() - $start < 2 ? 'in time' : 'late', "\n";
	}
	/* Who asks again and again does not get a thread each time; then there is no asking for a while. */
	if (pcntl_fork() !== 0) {
		pcntl_wait($status);
		echo "unknown\n";
		attempt('nobody.test', 2, 0, 0.5);
		exit;
	}
	for ($i = 0; $i < 40; $i++) {
		try {
			(new RedisLock(['host' => 'silent.test', 'timeout' => 0.01, 'name' => 'default']))->acquire();
		} catch (RedisLock\ConnectionException) {
		}
	}
	$threads = count(glob('/proc/self/task/*'));
	echo 'threads: ', $threads > 2 && $threads <= 18 ? 'some' : $threads, "\n";
	/* A copy has none of them. */
	if (pcntl_fork() === 0) {
		attempt('silent.test', 0.2, 0.2, 0.23);
		exit;
	}
	pcntl_wait($status);
	CODE);
$command = implode(' ', array_map(escapeshellarg(...), [...Php::command(), "$server->dir/client.php", $server->port]));
$mounts = implode(' && ', array_map(fn ($file, $of) => "mount --bind $server->dir/$file /etc/$of",
	['hosts', 'resolv', 'nsswitch'], ['hosts', 'resolv.conf', 'nsswitch.conf']));
$client = proc_open([...mounts_of_its_own(), 'sh', '-c', "$mounts && exec $command"], [['pipe', 'r'], ['pipe', 'w']], $pipes);
while (($line = fgets($pipes[1])) !== "unknown\n" && $line !== false) {
	echo $line;
}
while (stream_socket_recvfrom($names, 512)); /* what was asked so far */
echo 'asked: ';
do {
	$read = [$pipes[1], $names];
	$write = $except = [];
	stream_select($read, $write, $except, 20);
	if ($question = stream_socket_recvfrom($names, 512, 0, $from)) {
		stream_socket_sendto($names, substr($question, 0, 2) . "\x81\x83" . substr($question, 4), 0, $from);
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
threads: some
silent.test: lock "default": cannot resolve the host name: no answer in time (retryable, in time
asked: nobody.test: lock "default": cannot resolve the host name: Name or service not known (retryable, in time
exit 0
