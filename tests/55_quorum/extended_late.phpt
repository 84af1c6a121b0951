--TEST--
Quorums: a server that answers after the others is extended all the same, also by a script that it does not know
--EXTENSIONS--
posix
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';

$servers = servers(3);
$red = new RedLock(addresses($servers));
$lock = lock_on_all($red, $servers, 'extended_late', 60000);
$servers[2]->freeze();
echo outcome(fn () => $red->extend($lock, 90000) !== false), "\n";
$servers[2]->thaw();
$extended = fn () => $servers[2]->client()('PTTL', 'extended_late') > 60000;
echo comes_true($extended) ? "extended there, too\n" : "not extended there\n";
var_dump($red->unlock($lock));
echo nothing_left($servers), "\n";
?>
--EXPECT--
true
extended there, too
bool(true)
nothing is left
