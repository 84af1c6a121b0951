--TEST--
A waiter keeps its place however long it waits, and whatever the ttl
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/turns.inc';
$server = new Server();
$turns = fn (string $name, array $arrivals, float $hold, float $ttl) =>
	new Turns($arrivals, $hold, 0, $server->options(['name' => $name, 'ttl' => $ttl]));
$ten = array_map(fn ($i) => $i / 10, range(0, 9));
/* One more comes when the first ones have waited for nearly 5 s. */
$long = $turns('long', [...$ten, 5.0], 0.9, 60);
/* Each outwaits the ttl of whoever has the lock when it comes. */
$short = $turns('short', $ten, 0.3, 1);
$short->go();
$long->go();
$short->end();
$long->end();
var_dump($long->count(), $long->outOfOrder(), $short->count(), $short->outOfOrder());
?>
--EXPECT--
int(11)
int(0)
int(10)
int(0)
