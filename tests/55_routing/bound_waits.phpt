--TEST--
A process-bound acquire() with time to wait goes on until the server is there; signal handlers run meanwhile
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

/* With a password the connection itself has an answer to wait for. */
$server = new Server(true, '--requirepass', 'secret');
$options = serialize(['cluster' => ["tcp://127.0.0.1:$server->port"], 'password' => 'secret', 'name' => 'bound_waits',
	'renew' => true, 'wait' => 20, 'ttl' => 10]);
/* In the server's place: takes a connection and closes it. Who tries again comes again. */
$refuse = function ($listener) {
	if (!@stream_socket_accept($listener, 5)) {
		echo "nobody came\n";
	}
};
$ways = [
	'acquire' => '$lock = new RedisLock($options); return $lock->acquire();',
	'synchronized' => 'return (new RedisLock($options))->synchronized(fn () => "done");',
	'execute' => 'return SequenceTask::execute($options, fn () => "done");',
	'interrupted' => '$lock = new RedisLock($options); return $lock->acquire();',
];
foreach ($ways as $way => $code) {
	$php = new Php('pcntl_async_signals(true);
		pcntl_signal(SIGUSR1, function () {
			echo "handler\n";
		});
		pcntl_signal(SIGUSR2, fn () => throw new DomainException("enough"));
		$options = unserialize($argv[1]);
		echo "ready\n";
		fgets(STDIN);
		try {
			var_dump((function () use ($options) {' . $code . '})());
		} catch (Exception $e) {
			echo get_class($e), ": ", $e->getMessage(), "\n";
		}', [$options]);
	$php->await('ready');
	$server->kill();
	$listener = stream_socket_server("tcp://127.0.0.1:$server->port");
	$php->tell('go');
	$refuse($listener);
	$refuse($listener);
	$php->signal($way === 'interrupted' ? SIGUSR2 : SIGUSR1);
	if ($way !== 'interrupted') {
		$php->await('handler');
		$refuse($listener);
		fclose($listener);
		$server->start();
	}
	echo "$way: ", $php->rest();
}
?>
--EXPECT--
acquire: bool(true)
synchronized: string(4) "done"
execute: string(4) "done"
interrupted: DomainException: enough
