--TEST--
SequenceTask::execute(): works in a forked copy, on connections and with a child of its own
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
$config = $s->options(['name' => 'forked_execute', 'ttl' => 30, 'interval' => 0.2]);
SequenceTask::execute($config, fn () => null);

$pid = pcntl_fork();
if ($pid === 0) {
	echo SequenceTask::execute($config, function (RedisLock $lock) use ($s) {
		/* The parent's connection is in use by the parent. */
		return is_renewed($s->client(), 'forked_execute') && $lock->isHeld() && renewal_child(getmypid()) ?
			"kept in the copy\n" : "lost in the copy\n";
	});
	exit(0);
}
pcntl_waitpid($pid, $status);
var_dump($redis('EXISTS', 'forked_execute'), SequenceTask::execute($config, fn () => 'and in the parent'));
--EXPECT--
kept in the copy
int(0)
string(17) "and in the parent"
