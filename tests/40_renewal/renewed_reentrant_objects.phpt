--TEST--
reentrant: a process-bound lock ends with the last that is in it, whoever is still there to have been in it
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$make = fn () => new RedisLock($s->options(['name' => 'renewed_reentrant_objects', 'renew' => true, 'reentrant' => true]));
$exists = fn () => $redis('EXISTS', 'renewed_reentrant_objects');

/* The guest leaves, the host is destroyed: and the other way round. */
$guest = $make();
$host = $make();
$_ = $host->acquire();
$_ = $guest->acquire();
step('the guest leaves', $guest->release(), $guest->isHeld(), $host->isAcquired());
unset($host);
step('the host is gone: keys', $exists());

$host = $make();
$_ = $guest->acquire();
$_ = $host->acquire();
step('the one who came first leaves', $guest->release(), $guest->isHeld(), $host->isAcquired());
unset($host);
step('the other is gone: keys', $exists());

/* Those who left come again, and are alone in it. */
$other = new RedisLock($s->options(['name' => 'renewed_reentrant_objects']));
step('come again, alone', $guest->acquire(), $other->acquire(), $guest->release(), $exists());

/* A run that ends while somebody it let in stays. */
$stays = $make();
$guest->synchronized(fn () => $stays->acquire());
step('somebody stays beyond the run', $guest->isHeld(), $stays->isAcquired());
unset($stays);
step('he is gone: keys', $exists());

/* The same where the code lets go by itself. */
$stays = $make();
$guest->synchronized(fn () => $stays->acquire() && $guest->release());
step('released within the run', $guest->isHeld(), $stays->isAcquired(), $stays->release(), $other->acquire());
--EXPECT--
the guest leaves: true, false, true
the host is gone: keys: 0
the one who came first leaves: true, false, true
the other is gone: keys: 0
come again, alone: true, false, true, 0
somebody stays beyond the run: false, true
he is gone: keys: 0
released within the run: false, true, true, true
