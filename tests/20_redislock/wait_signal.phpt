--TEST--
RedisLock::acquire(): a signal handler runs during the wait, and may end it by throwing
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
if (!extension_loaded('pcntl')) {
	die('skip pcntl is not loaded');
}
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$redis('SET', 'wait_signal', 'other');
$code = 'pcntl_async_signals(true);
	pcntl_signal(SIGUSR1, fn () => touch($argv[2]));
	pcntl_signal(SIGTERM, function () {
		pcntl_signal(SIGTERM, SIG_IGN);
		throw new DomainException("terminated");
	});
	$lock = new RedisLock(["unix_socket" => $argv[1], "name" => "wait_signal", "retry_ms" => 600000]);
	try {
		echo "waiting\n";
		var_dump($lock->acquire(INF));
	} catch (DomainException $e) {
		echo $e->getMessage(), "\n";
	}
	var_dump($lock->isHeld(), $lock->release(), $lock->forceRelease(), $lock->acquire());';
$php = new Php($code, [$server->socket, "$server->dir/handled"]);
$php->await('waiting');
$blocked = fn () => str_contains($redis('INFO', 'clients'), 'blocked_clients:1');
wait_until($blocked);
/* The first does not end the wait, the second does; both come long before the next look at the lock. */
$php->signal(SIGUSR1);
var_dump(comes_true(fn () => file_exists("$server->dir/handled")), $blocked());
$php->signal(SIGTERM);
wait_until(fn () => $redis('GET', 'wait_signal') !== 'other');
echo $php->rest();
var_dump($php->end());
?>
--EXPECT--
bool(true)
bool(true)
terminated
bool(false)
bool(false)
bool(true)
bool(true)
array(1) {
  ["exit"]=>
  int(0)
}
