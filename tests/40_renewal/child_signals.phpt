--TEST--
renewal child: survives what is sent to the parent's terminal, and every signal meant to end it softly
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$lock = new RedisLock($s->options(['name' => 'child_signals', 'ttl' => 30, 'interval' => 0.2, 'renew' => true]));
$_ = $lock->acquire();
$child = await_renewal_child(getmypid());
wait_until(fn () => posix_getpgid($child) === $child);
/* The session stays: one of its own would have to wait for a processor when the parent's keeps them all busy. */
var_dump(posix_getpgid($child) === $child, posix_getsid($child) === posix_getsid(0));

foreach ([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGPIPE, SIGURG, SIGTSTP] as $signal) {
	posix_kill($child, $signal);
}
/* The first may have been on its way before. */
var_dump(is_renewed($redis, 'child_signals') && is_renewed($redis, 'child_signals') && $lock->isHeld(),
	renewal_child(getmypid()) === $child, $lock->release());
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
