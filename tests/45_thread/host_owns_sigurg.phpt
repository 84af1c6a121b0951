--TEST--
A host that handles SIGURG itself keeps its handler: a thread renews
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$client = $server->client();
pcntl_async_signals(true);
pcntl_signal(SIGURG, function () use (&$seen) {
	$seen = true;
});
SequenceTask::execute($server->options(['name' => 'host_owns_sigurg', 'ttl' => 30, 'interval' => 0.1]), function ($lock) use ($client) {
	var_dump(is_renewed($client, 'host_owns_sigurg') && $lock->isHeld(), renewal_child(getmypid()));
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
