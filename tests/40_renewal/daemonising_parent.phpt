--TEST--
A parent that ends while a forked copy lives releases its lock, and warns
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$client = $server->client();
$code = <<<'CODE'
	$lock = new RedisLock(['unix_socket' => $argv[1], 'name' => 'daemonising_parent', 'ttl' => 30, 'renew' => true]);
	$_ = $lock->acquire();
	if ($argv[2] === 'fork' && pcntl_fork() === 0) {
		fgets(STDIN);
		var_dump($lock->isHeld(), $lock->release());
		exit;
	}
	if ($argv[2] === 'proc_open') {
		$other = proc_open(['sleep', '30'], [], $pipes);
		register_shutdown_function(fn () => proc_terminate($other));
	}
	CODE;
foreach (['fork', 'proc_open', 'nothing'] as $what) {
	echo "-- $what\n";
	$php = new Php($code, [$server->socket, $what]);
	var_dump(comes_true(fn () => $php->end() === ['exit' => 0]), $client('EXISTS', 'daemonising_parent'));
	if ($what === 'fork') {
		$php->tell('end');
	}
	echo $php->rest();
}
?>
--EXPECTF--
-- fork
bool(true)
int(0)

Warning: PHP Request Shutdown: Lock "daemonising_parent" is released, since the process that acquired it ends; a forked copy of it still runs, but does not hold the lock in Unknown on line 0
bool(false)
bool(false)
-- proc_open
bool(true)
int(0)
-- nothing
bool(true)
int(0)
