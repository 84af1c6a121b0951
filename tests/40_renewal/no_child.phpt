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
$given = new RedisLock(['name' => 'no_child_given'] + $config);
$given->acquire();
$restored = RedisLock::restore(['renew' => true] + $config, 'no_child_given', $token = $given->detach());
var_dump($lease->acquire(), $lease->release(), $lock->holder(), $restored->holder()['token'] === $token);

/* All are connected. Without a descriptor left there is no pair of sockets. */
while ($open[] = @fopen('/dev/null', 'r'));
foreach ([fn () => $lock->acquire(), fn () => $lease->synchronized(fn () => print("must not run\n")),
	$restored->isAcquired(...), $restored->keepAlive(...)] as $attempt) {
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

echo "restored: still there, to be confirmed or released\n";
var_dump($restored->isHeld(), $restored->getToken() === $token, $restored->isAcquired(), $restored->release());
CODE;
file_put_contents("$s->dir/code.php", $code);
$command = implode(' ', array_map(escapeshellarg(...), [...Php::command(), "$s->dir/code.php", $s->socket]));
passthru("ulimit -n 40 && exec $command");
echo 'locked: ', $redis('EXISTS', 'no_child', 'no_child_given'), "\n";
--EXPECT--
bool(true)
bool(true)
NULL
bool(true)
lock "no_child": the renewal child could not be started: socketpair: Too many open files
lock "no_child": the renewal child could not be started: socketpair: Too many open files
lock "no_child_given": the renewal child could not be started: socketpair: Too many open files
lock "no_child_given": the renewal child could not be started: socketpair: Too many open files
bool(false)
bool(true)
bool(true)
bool(true)
bool(true)
restored: still there, to be confirmed or released
bool(false)
bool(true)
bool(true)
bool(true)
locked: 0
