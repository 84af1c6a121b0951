--TEST--
RedisLock\RenewalException: nothing is locked or run when the child cannot be started
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$command = implode(' ', array_map(escapeshellarg(...), [...Php::command(), __DIR__ . '/no_child.inc', $s->socket]));
echo in_words_of_glibc(shell_exec("ulimit -n 40 && exec $command"));
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
