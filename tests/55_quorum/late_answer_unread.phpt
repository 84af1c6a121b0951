--TEST--
Quorums: a server whose answer came after the result, and was not read yet, takes part in the next lock
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
$servers = servers(3, false);
$red = new RedLock(addresses($servers, 2), 1, 1);
$red->unlock(lock_on_all($red, $servers, 'first'));
echo nothing_left($servers), "\n";

/* The third one is slow for once, but in time. */
$servers[2]->freeze();
var_dump(is_array($red->lock('slow', 60000)));
$servers[2]->thaw();
wait_until(fn () => where($servers, 'slow') === 'xxx');

pause(1.1, 'more than half of the time it has for an answer: one that had not answered by now would be left out');
var_dump(is_array($red->lock('next', 60000)), comes_true(fn () => where($servers, 'next') === 'xxx'));
?>
--EXPECT--
nothing is left
bool(true)
bool(true)
bool(true)
