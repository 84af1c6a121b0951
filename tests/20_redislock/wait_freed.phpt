--TEST--
RedisLock::acquire(): a waiter gets the lock when another process frees it
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/timing.inc';
$server = new Server();
$redis = $server->client();
$holder = new RedisLock($server->options(['name' => 'wait_freed']));
$_ = $holder->acquire();
$code = '$lock = new RedisLock(["unix_socket" => $argv[1], "name" => "wait_freed", "retry_ms" => 20]);
	echo "waiting\n";
	echo json_encode([$lock->acquire((float) $argv[2]), $lock->isAcquired()]), "\n";
	fgets(STDIN);
	echo json_encode($lock->release()), "\n";';
foreach (['30', 'INF'] as $wait) {
	$waiter = new Php(str_replace('(float) $argv[2]', $wait === 'INF' ? 'INF' : '30', $code), [$server->socket]);
	$waiter->await('waiting');
	echo comes_true(fn () => str_contains($redis('INFO', 'clients'), 'blocked_clients:1')) ? "blocked\n" : "not there\n";
	$freed = now();
	var_dump($holder->release());
	$waiter->await('[true,true]');
	expect_taken('handed over', $freed, 0, 0.2);
	var_dump($holder->acquire());
	$waiter->tell('');
	$waiter->await('true');
	var_dump($holder->acquire());
}
?>
--EXPECT--
blocked
bool(true)
handed over: ok
bool(false)
bool(true)
blocked
bool(true)
handed over: ok
bool(false)
bool(true)
