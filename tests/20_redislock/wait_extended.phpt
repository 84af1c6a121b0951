--TEST--
RedisLock::acquire(): after a wait the key soon has its whole ttl, whether or not the holder does anything
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server(true);
$redis = $server->client();
foreach ([false, true] as $tcp) {
	$code = '$lock = new RedisLock(json_decode($argv[1], true));
		echo json_encode($lock->acquire(30.0)), "\n";
		fgets(STDIN); /* no call that could send anything */
		echo json_encode([comes_true(fn () => $lock->remaining() > 2), $lock->release()]), "\n";';
	$holder = new RedisLock($server->options(['name' => 'wait_extended']));
	$_ = $holder->acquire();
	$waiter = new Php($code, [json_encode($server->options(['name' => 'wait_extended', 'ttl' => 40], $tcp))]);
	wait_until(fn () => str_contains($redis('INFO', 'clients'), 'blocked_clients:1'));
	$holder->release();
	$waiter->await('true');
	echo comes_true(fn () => $redis('PTTL', 'wait_extended') > 2000, 1.9) ? "extended\n" : "not extended\n";
	$waiter->tell('');
	$waiter->await('[true,true]');
}
?>
--EXPECT--
extended
extended
