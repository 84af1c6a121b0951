--TEST--
A copy of a process that waits does not take part in the wait
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/waiting.inc';
$server = new Server();
$redis = $server->client();
$holder = new RedisLock($server->options(['name' => 'wait_forked']));
foreach ([false, true] as $renew) {
	$_ = $holder->acquire();
	$php = new Php('pcntl_async_signals(true);
		$lock = new RedisLock(["unix_socket" => $argv[1], "name" => "wait_forked", "renew" => (bool) $argv[2]]);
		pcntl_signal(SIGUSR1, function () use (&$copy) { $copy = pcntl_fork(); });
		echo "waiting\n";
		try {
			$got = $lock->acquire(INF);
			echo $copy === 0 ? "copy" : "parent", " has it: ", json_encode($got), "\n";
		} catch (RedisLock\Exception $e) {
			echo $copy === 0 ? "copy: " : "parent: ", $e->getMessage(), "\n";
		}
		if ($copy > 0) {
			fgets(STDIN);
			var_dump($lock->release());
		}', [$server->socket, (string) $renew]);
	$php->await('waiting');
	await_queue($redis, 1);
	$php->signal(SIGUSR1);
	echo $php->line(), "\n";
	await_queue($redis, 1);
	$holder->release();
	echo $php->line(), "\n";
	$php->tell('');
	echo $php->line(), "\n";
	$php->end();
	var_dump($redis('EXISTS', 'wait_forked'));
}
?>
--EXPECT--
copy: lock "wait_forked": the process was forked while it waited for the lock
parent has it: true
bool(true)
int(0)
copy: lock "wait_forked": the process was forked while it waited for the lock
parent has it: true
bool(true)
int(0)
