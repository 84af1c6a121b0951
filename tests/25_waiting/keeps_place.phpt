--TEST--
A waiter keeps its place however long it waits, and whatever the ttl
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
/* slow: its waiters have waited for 5 s before it begins */
require __DIR__ . '/../inc/turns.inc';
[$here, $there] = [new Server(), new Server()];
$turns = fn (Server $server, array $arrivals, float $hold, float $ttl) =>
	new Turns($arrivals, $hold, 0, $server->options(['name' => 'place', 'ttl' => $ttl]));
$ten = array_fill(0, 10, 0.0);
/* One more comes when the first ones have waited for nearly 5 s. */
$long = $turns($here, [...$ten, 5.0], 0.9, 60);
/* The last ones outwait the ttl of whoever has the lock when they come. */
$short = $turns($there, $ten, 0.4, 2);
$short->line($there->client());
$long->line($here->client());
$short->end();
$long->end();
var_dump($long->count(), $long->overtaken(), $short->count(), $short->overtaken());
?>
--EXPECT--
int(11)
int(0)
int(10)
int(0)
