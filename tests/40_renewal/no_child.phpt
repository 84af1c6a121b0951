--TEST--
RedisLock\RenewalException: nothing is locked or run when the child cannot be started
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$code = <<<'CODE'
<?php
$config = ['unix_socket' => $argv[1], 'name' => 'no_child'];
$lease = new RedisLock($config);
$lock = new RedisLock($config + ['renew' => true]);
var_dump($lease->acquire(), $lease->release(), $lock->holder());

/* Both are connected. Without a descriptor left there is no pair of sockets. */
while ($open[] = @fopen('/dev/null', 'r'));
foreach ([fn () => $lock->acquire(), fn () => $lease->synchronized(fn () => print("must not run\n"))] as $attempt) {
	try {
		$attempt();
		$texts[] = 'not reached';
	} catch (RedisLock\RenewalException $e) {
		$texts[] = $e->getMessage();
	}
}
$open = null;
echo implode("\n", $texts), "\n";
var_dump($lock->isHeld(), $lease->acquire(), $lease->release(), $lock->acquire(), $lock->release());
CODE;
file_put_contents("$s->dir/code.php", $code);
$command = implode(' ', array_map(escapeshellarg(...), [...Php::command(), "$s->dir/code.php", $s->socket]));
passthru("ulimit -n 40 && exec $command");
echo 'locked: ', $redis('EXISTS', 'no_child'), "\n";
--EXPECT--
bool(true)
bool(true)
NULL
lock "no_child": the renewal child could not be started: socketpair: Too many open files
lock "no_child": the renewal child could not be started: socketpair: Too many open files
bool(false)
bool(true)
bool(true)
bool(true)
bool(true)
locked: 0
