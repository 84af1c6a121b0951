--TEST--
RedLock::lock(): a signal handler may lock another resource with the same object while it waits
--EXTENSIONS--
pcntl
posix
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$redis('SET', 'lock_in_handler', 'another');
$redLock = new RedLock(["unix://$s->socket"], 100, 1000);
$inner = null;

pcntl_async_signals(true);
pcntl_signal(SIGALRM, function () use ($redLock, $redis, &$inner) {
	$inner = $redLock->lock('lock_in_handler:inner', 60000);
	$redis('DEL', 'lock_in_handler');
});
pcntl_alarm(1);
$outer = $redLock->lock('lock_in_handler', 60000);
foreach ([$inner, $outer] as $lock) {
	echo $lock['resource'], "\n";
	var_dump($lock['validity'] > 30000, $redis('GET', $lock['resource']) === $lock['token'], $redLock->unlock($lock));
}
--EXPECT--
lock_in_handler:inner
bool(true)
bool(true)
bool(true)
lock_in_handler
bool(true)
bool(true)
bool(true)
