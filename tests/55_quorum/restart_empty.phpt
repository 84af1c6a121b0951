--TEST--
Quorums: a server that restarts empty at once gives the lock away a second time; one kept away for a ttl does not
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';

/* The lock is on the first three of five. The third forgets it, and with the other two that is a majority. */
$servers = servers(5);
$servers[3]->kill();
$servers[4]->kill();
$first = (new RedLock(addresses($servers), 1, 1))->lock('restart', 30000);
$valid_until = now() + $first['validity'] / 1000;
$servers[3]->start();
$servers[4]->start();
$servers[2]->kill();
echo 'while it is away: ', (new RedLock(addresses($servers), 1, 1))->lock('restart', 30000) ? 'taken' : 'refused', "\n";
$servers[2]->start();
$second = (new RedLock(addresses($servers), 1, 1))->lock('restart', 30000);
echo 'back at once: ', $second ? 'taken' : 'refused', ', while the first is ', now() < $valid_until ? 'valid' : 'over', "\n";
/* The first learns of it when it asks. */
var_dump((new RedLock(addresses($servers), 1, 1))->extend($first, 30000));

/* The same, but it stays away for as long as any lock it may have promised can live. */
array_map(fn (Server $s) => $s->client()('FLUSHALL'), $servers);
$servers[3]->kill();
$servers[4]->kill();
$first = (new RedLock(addresses($servers), 1, 1))->lock('restart', 2000);
$valid_until = now() + $first['validity'] / 1000;
$servers[3]->start();
$servers[4]->start();
$servers[2]->kill();
wait_until(fn () => (new RedLock(addresses($servers), 1, 1))->lock('restart', 2000) !== false);
echo 'kept away for a ttl: free when the first is ', now() < $valid_until ? 'valid' : 'over', "\n";
?>
--EXPECT--
while it is away: refused
back at once: taken, while the first is valid
bool(false)
kept away for a ttl: free when the first is over
