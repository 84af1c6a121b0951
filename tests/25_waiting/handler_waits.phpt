--TEST--
A lock that a signal handler has waited for, amid another wait of the same object, keeps its ttl
--EXTENSIONS--
redislock
posix
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
pcntl_async_signals(true);
$server = new Server();
$redis = $server->client();
foreach ([[[], []], [['permits' => 2], ['permits' => 2, 'weight' => 2]], [['shared' => true], []]] as $i => [$kind, $theirs]) {
	/* Has the handler called when the outer wait is on, releases what the handler waits for, and the outer lock long after. */
	$helper = new Php('[, $socket, $pid, $theirs, $name] = $argv;
		$theirs = json_decode($theirs, true);
		$redis = new Client("unix://$socket");
		$inner = new RedisLock(["unix_socket" => $socket, "name" => "{$name}_inner"] + $theirs);
		$outer = new RedisLock(["unix_socket" => $socket, "name" => "{$name}_outer"]);
		var_dump($inner->acquire() && $outer->acquire());
		wait_until(fn () => $redis("EXISTS", "{{$name}_outer}:rlk:waiters") === 1);
		posix_kill((int) $pid, SIGUSR1);
		wait_until(fn () => $redis("EXISTS", "{{$name}_inner}:rlk:waiters") === 1);
		$_ = $inner->release();
		pause(2.3, "the provisional ttl is over");
		$_ = $outer->release();', [$server->socket, (string) getmypid(), json_encode($theirs), $name = "handler_waits_$i"]);
	$helper->await('bool(true)');
	$lock = new RedisLock($server->options(['name' => "{$name}_inner", 'ttl' => 30] + $kind));
	pcntl_signal(SIGUSR1, function () use ($lock, &$got) {
		$got = $lock->acquire(10);
	});
	$outer = $lock->lock("{$name}_outer", RedisLock::BLOCKED, ['wait' => 20]);
	step(json_encode($kind), $got, $outer, $lock->isHeld(), $lock->remaining() > 20, $lock->isAcquired(), $lock->release(), $lock->unlock("{$name}_outer"));
}
step('left', $redis('KEYS', '*:rlk:turn'), count($redis('KEYS', 'handler_waits_*')));
?>
--EXPECT--
[]: true, true, true, true, true, true, true
{"permits":2}: true, true, true, true, true, true, true
{"shared":true}: true, true, true, true, true, true, true
left: array (
), 0
