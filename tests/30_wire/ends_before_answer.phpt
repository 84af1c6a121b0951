--TEST--
A process that ends stays until the server has read its release: one that cannot write an answer before that reads no further
--EXTENSIONS--
redislock
posix
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
require __DIR__ . '/../inc/fake_server.inc';
require __DIR__ . '/../inc/timing.inc';

/** A round in which the machine stood still for longer than the process waits at its end says nothing. */
function play(string $way, string $code, callable $options): void
{
	do {
		$server = new FakeServer(<<<'SCRIPT'
			EXPECT SET ends * NX PX 60000
			EXPECT EVAL ...
			SAY both are here, and it has answered neither
			WAIT
			SEND +OK
			SEND :1
			EXPECT-CLOSE
			SCRIPT);
		$php = new Php($code, [json_encode($options($server))]);
		$php->await('ends');
		$from = now();
		$server->await('both are here, and it has answered neither');
		pause(0.1, 'a process that does not wait has ended by then');
		$judged = now() - $from < 0.5;
		$server->tell();
		$verdict = $server->verdict();
		$php->end();
	} while (!$judged);
	echo "$way: $verdict";
}

$code = '$lock = new RedisLock(json_decode($argv[1], true) + ["name" => "ends"]);
	try { $_ = $lock->acquire(); $lock->release(); } catch (RedisLock\ConnectionException) {} echo "ends\n";';
$servers = servers(2, false);
play('one server, silent for too long', $code, fn (FakeServer $fake) => $fake->options(['read_timeout' => 0.1]));
play('one of three', $code, fn (FakeServer $fake) => ['servers' => [...addresses($servers), ['path' => $fake->socket]]]);
?>
--EXPECT--
one server, silent for too long: played
one of three: played
