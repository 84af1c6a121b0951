--TEST--
A waiter that vanished without a FIN costs the others a slice, not its ttl
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/waiting.inc';
$server = new Server(tcp: true);
$redis = $server->client();
/* Passes bytes on until it is told to drop everything, connections included, without a word to anybody. */
$port = Server::freePort();
$proxy = new Php('$listener = stream_socket_server("tcp://127.0.0.1:$argv[1]");
	$peers = $streams = [];
	stream_set_blocking(STDIN, false);
	echo "listening\n";
	for (;;) {
		$read = [$listener, STDIN, ...$streams];
		stream_select($read, $none, $none, null);
		foreach ($read as $stream) {
			if ($stream === STDIN) {
				echo "dropping\n";
				fread(STDIN, 100);
				stream_set_blocking(STDIN, true);
				fgets(STDIN);
				exit;
			}
			if ($stream === $listener) {
				$a = stream_socket_accept($listener);
				$b = stream_socket_client("tcp://127.0.0.1:$argv[2]");
				$peers[(int) $a] = $b;
				$peers[(int) $b] = $a;
				array_push($streams, $a, $b);
				continue;
			}
			$data = fread($stream, 65536);
			if ($data !== "") {
				fwrite($peers[(int) $stream], $data);
			} else {
				$streams = array_filter($streams, fn ($s) => $s !== $stream);
				fclose($peers[(int) $stream]);
				$streams = array_filter($streams, is_resource(...));
			}
		}
	}', [$port, $server->port]);
$proxy->await('listening');
$holder = new RedisLock($server->options(['name' => 'vanished', 'ttl' => 60]));
$holder->acquire();
$first = new Waiter(['host' => '127.0.0.1', 'port' => $port, 'name' => 'vanished', 'ttl' => 60]);
await_queue($redis, 1);
$second = new Waiter($server->options(['name' => 'vanished', 'ttl' => 60]));
await_queue($redis, 2);
$proxy->tell('drop');
$proxy->await('dropping');
$first->php->signal(SIGKILL);
$first->php->end();
$freed = now();
$holder->release();
var_dump(wait_until(fn () => $redis('EXISTS', 'vanished') === 1));
expect_between('claim, ms', $redis('PTTL', 'vanished'), 1, 2000);
expect_between('to the second', $second->got() - $freed, 1, 8);
var_dump($second->do('release'));
?>
--EXPECT--
bool(true)
claim, ms: ok
to the second: ok
bool(true)
