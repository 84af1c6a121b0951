--TEST--
RedisLock: code that resets or blocks SIGURG: the next lock is heard of again, and the renewal child is alive
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
if (!extension_loaded('pcntl')) {
	die('skip pcntl is not loaded');
}
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$lock = fn (string $name) => new RedisLock($s->options(['name' => "sigurg_reset-$name", 'ttl' => 30, 'interval' => 0.1, 'renew' => true]));

/* Deletes the key, and sleeps. */
$lose = function (string $name) use ($redis) {
	$start = now();
	try {
		$redis('DEL', "sigurg_reset-$name");
		sleep(5);
		echo "$name: not told\n";
	} catch (RedisLock\LockLostException) {
		echo "$name: ", now() - $start < 4 ? 'told' : 'told too late', "\n";
	}
};

/* As daemons do in their copies. */
$pid = pcntl_fork();
if ($pid === 0) {
	$redis = $s->client();
	$first = $lock('first');
	$_ = $first->acquire();
	pcntl_signal(SIGURG, SIG_DFL);
	$lose('first');
	pcntl_signal(SIGURG, SIG_IGN);
	$second = $lock('second');
	$_ = $second->acquire();
	pcntl_signal(SIGURG, SIG_IGN);
	$lose('second');
	$_ = $first->acquire();

	/* Nobody hears that the child dies. */
	pcntl_sigprocmask(SIG_BLOCK, [SIGURG]);
	$child = await_renewal_child(getmypid());
	posix_kill($child, SIGKILL);
	wait_until(fn () => renewal_child(getmypid()) === 0);
	$third = $lock('third');
	var_dump($third->acquire(), renewal_child(getmypid()) !== 0);
	var_dump(is_renewed($redis, 'sigurg_reset-third'), is_renewed($redis, 'sigurg_reset-first'));
	posix_kill(getmypid(), SIGKILL);
}
pcntl_waitpid($pid, $status);

$held = $lock('held');
$_ = $held->acquire();
$pid = pcntl_fork();
if ($pid === 0) {
	$redis = $s->client();
	for ($signal = 1; $signal < 32; $signal++) {
		$signal === SIGKILL || $signal === SIGSTOP || pcntl_signal($signal, SIG_DFL);
	}
	$own = $lock('copy');
	$_ = $own->acquire();
	var_dump(renewal_child(getmypid()) !== 0); /* not a thread, as beside a handler of somebody else */
	$lose('copy');
	posix_kill(getmypid(), SIGKILL);
}
pcntl_waitpid($pid, $status);
var_dump($held->release());

/* As Apache does in its threads, before any lock. */
$blocked = new Php('
	$redis = new Client("unix://$argv[1]");
	pcntl_sigprocmask(SIG_BLOCK, [SIGURG]);
	$lock = new RedisLock(["unix_socket" => $argv[1], "name" => "sigurg_reset-blocked", "interval" => 0.1, "renew" => true]);
	$_ = $lock->acquire();
	try {
		$redis("DEL", "sigurg_reset-blocked");
		$left = sleep(5);
		echo "blocked: not told\n";
	} catch (RedisLock\LockLostException) {
		echo "blocked: told\n";
	}', [$s->socket]);
echo $blocked->rest();
?>
--EXPECT--
first: told
second: told
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
copy: told
bool(true)
blocked: told
