--TEST--
Quorum: each server tells of its key, and the lock is lost at once when a majority has lost it
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
server_is_before('6.0') && die('skip this server has no client-side tracking');
?>
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
require __DIR__ . '/../inc/tracked.inc';

$servers = servers(3, false);
$clients = array_map(fn (Server $s) => $s->client(), $servers);
$lock = tracked_lock($clients, ['servers' => addresses($servers), 'name' => 'quorum_tracked']);

/* One of three is no loss, and its key is not set again. */
$clients[0]('DEL', 'quorum_tracked');
var_dump($lock->isAcquired(), where($servers, 'quorum_tracked'));
echo 'the second: ', told_of_loss(fn () => $clients[1]('DEL', 'quorum_tracked')), "\n";
var_dump($lock->isHeld());
echo nothing_left($servers), "\n";
?>
--EXPECT--
bool(true)
string(3) ".xx"
the second: told
bool(false)
nothing is left
