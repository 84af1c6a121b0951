--TEST--
A host that handles SIGURG itself keeps its handler: a thread renews
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
pcntl_async_signals(true);
pcntl_signal(SIGURG, function () use (&$seen) {
	$seen = true;
});
SequenceTask::execute($server->options(['name' => 'host_owns_sigurg', 'ttl' => 1.5, 'interval' => 0.1]), function ($lock) {
	var_dump(stays_true(fn () => $lock->isHeld(), 2.5), renewal_child(getmypid()));
});
var_dump($seen);
posix_kill(getmypid(), SIGURG);
var_dump(comes_true(fn () => $GLOBALS['seen']));
?>
--EXPECT--
bool(true)
int(0)
NULL
bool(true)
