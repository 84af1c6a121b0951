--TEST--
renewal child: survives what is sent to the parent's terminal, and every signal meant to end it softly
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$lock = new RedisLock($s->options(['name' => 'child_signals', 'ttl' => 1.5, 'renew' => true]));
$lock->acquire();
$child = await_renewal_child(getmypid());
wait_until(fn () => posix_getsid($child) === $child);
var_dump(posix_getsid($child) === $child, posix_getpgid($child) === posix_getpgid(getmypid()));

foreach ([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGPIPE, SIGURG, SIGTSTP] as $signal) {
	posix_kill($child, $signal);
}
wait_until(fn () => !$lock->isHeld(), 2.5);
var_dump($lock->isHeld(), renewal_child(getmypid()) === $child, $lock->release());
--EXPECT--
bool(true)
bool(false)
bool(true)
bool(true)
bool(true)
