--TEST--
TLS: servers that do not speak it, or too old a version, or nothing at all: the right exception, in time
--SKIPIF--
<?php require __DIR__ . '/../inc/tls.inc'; skip_unless_tls();
--FILE--
<?php
require __DIR__ . '/../inc/tls.inc';
require __DIR__ . '/../inc/fake_server.inc';
require __DIR__ . '/../inc/timing.inc';
$ca = new Authority;
/** $options makes them. Who has something to say has time for it; $max is less whatever the machine took. */
function look(string $name, callable $options, float $min, float $max): void
{
	$given = $options();
	$before = now();
	try {
		$said = (new RedisLock($given + ['name' => 'no_tls', 'timeout' => $min > 0 ? 0.4 : 10]))->acquire() ? "bool(true)" : "bool(false)";
	} catch (RedisLock\ConnectionException $e) {
		$said = preg_replace('~^lock "no_tls": | \(tls:\S+\)$~', '', $e->getMessage());
		$said = "$name: " . str_replace('Connection reset by peer', 'the server closed the connection', $said) .
			($e->isRetryable() ? ', retryable' : '');
	}
	$took = taken($before, null, $min);
	echo $said, "\n";
	expect_between('in time', $took, $min, $max);
}
$at = fn (int $port) => ['scheme' => 'tls', 'host' => '127.0.0.1', 'port' => $port, 'ssl' => ['cafile' => $ca->cafile]];

foreach ([
	'answers in clear text' => ['SENDRAW -ERR unknown command\r\n SILENCE', 0, 0.3],
	'is silent' => ['SILENCE', 0.39, 0.5],
	'hangs up' => ['CLOSE', 0, 0.3],
	'hangs in a message' => ['SENDRAW \x16\x03\x03\x00\x7a\x02 SILENCE', 0.39, 0.5],
	'drips' => ['SENDRAW \x16\x03 DELAY 150 SENDRAW \x03\x00 DELAY 150 SENDRAW \x7a\x02 DELAY 150', 0.39, 0.5],
	'has nothing in common with us' => ['SENDRAW \x15\x03\x03\x00\x02\x02\x28 SILENCE', 0, 0.3],
] as $name => [$script, $min, $max]) {
	look($name, function () use ($script, $at, &$fake) {
		$port = Server::freePort();
		$fake = new FakeServer("ACCEPT\n" . preg_replace('/ (?=[A-Z]{5,})/', "\n", $script), $port);
		return $at($port);
	}, $min, $max);
}
$server = new Server(true);
/* It waits for the end of the line, or takes some byte for it and complains. */
try {
	$_ = (new RedisLock(['name' => 'no_tls', 'timeout' => 0.4] + $at($server->port)))->acquire();
} catch (RedisLock\ConnectionException $e) {
	var_dump(preg_match('/did not answer in time|does not speak TLS|closed the connection|reset by peer/', $e->getMessage()));
}
$old = $ca->server($ca->issue(), '--tls-protocols', 'TLSv1.1');
look('TLS 1.1 only', $old->options(...), 0, 0.3);
$two = $ca->server($ca->issue(), '--tls-protocols', 'TLSv1.2');
look('TLS 1.2 only', $two->options(...), 0, 0.3);
$three = $ca->server($ca->issue(), '--tls-protocols', 'TLSv1.3');
look('TLS 1.3 only', $three->options(...), 0, 0.3);
/* A server frozen before the handshake, and one that freezes behind it. */
$three->server->freeze();
look('frozen', $three->options(...), 0.39, 0.5);
$three->server->thaw();
$lock = new RedisLock($three->options(['name' => 'frozen', 'read_timeout' => 0.3]));
$_ = $lock->acquire();
$three->server->freeze();
$before = now();
try {
	$_ = $lock->keepAlive();
} catch (RedisLock\ConnectionException $e) {
	echo preg_replace('/tls:\S+/', 'tls', $e->getMessage()), "\n";
}
expect_taken('in time', $before, 0.29, 3);
$three->server->thaw();
var_dump($lock->release());
/* And a client in clear text at a port with TLS. */
try {
	$_ = (new RedisLock(['scheme' => 'tcp', 'host' => '127.0.0.1', 'port' => $three->port, 'name' => 'no_tls']))->acquire();
} catch (RedisLock\ConnectionException $e) {
	echo str_replace('Connection reset by peer', 'the server closed the connection', preg_replace('/tcp:\S+/', 'tcp', $e->getMessage())), "\n";
}
?>
--EXPECTF--
answers in clear text: cannot connect with TLS: the server does not speak TLS on this port
in time: ok
is silent: cannot connect with TLS: the server did not answer in time; does it speak TLS on this port?, retryable
in time: ok
hangs up: cannot connect with TLS: the server closed the connection; does it speak TLS on this port?, retryable
in time: ok
hangs in a message: cannot connect with TLS: the server did not answer in time; does it speak TLS on this port?, retryable
in time: ok
drips: cannot connect with TLS: the server did not answer in time; does it speak TLS on this port?, retryable
in time: ok
has nothing in common with us: cannot connect with TLS: %s alert handshake failure
in time: ok
int(1)
TLS 1.1 only: cannot connect with TLS: %s protocol version
in time: ok
bool(true)
in time: ok
bool(true)
in time: ok
frozen: cannot connect with TLS: the server did not answer in time; does it speak TLS on this port?, retryable
in time: ok
lock "frozen": the server did not answer in time (tls
in time: ok
bool(true)
lock "no_tls": the connection broke: the server closed the connection; does the server expect TLS? (tcp
