--TEST--
reentrant: a process-bound lock ends with the last that is in it, whoever is still there to have been in it
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$make = fn () => new RedisLock($s->options(['name' => 'reentrant_objects', 'renew' => true, 'reentrant' => true]));
$exists = fn () => $redis('EXISTS', 'reentrant_objects');

/* The guest leaves, the host is destroyed: and the other way round. */
$guest = $make();
$host = $make();
$host->acquire();
$guest->acquire();
var_dump($guest->release(), $guest->isHeld(), $host->isAcquired());
unset($host);
var_dump($exists());

$host = $make();
$guest->acquire();
$host->acquire();
var_dump($guest->release(), $guest->isHeld(), $host->isAcquired());
unset($host);
var_dump($exists());

/* Those who left come again, and are alone in it. */
$other = new RedisLock($s->options(['name' => 'reentrant_objects']));
var_dump($guest->acquire(), $other->acquire(), $guest->release(), $exists());

/* A run that ends while somebody it let in stays. */
$stays = $make();
$guest->synchronized(fn () => $stays->acquire());
var_dump($guest->isHeld(), $stays->isAcquired());
unset($stays);
var_dump($exists());

/* The same where the code lets go by itself. */
$stays = $make();
$guest->synchronized(fn () => $stays->acquire() && $guest->release());
var_dump($guest->isHeld(), $stays->isAcquired(), $stays->release(), $other->acquire());
--EXPECT--
bool(true)
bool(false)
bool(true)
int(0)
bool(true)
bool(false)
bool(true)
int(0)
bool(true)
bool(false)
bool(true)
int(0)
bool(false)
bool(true)
int(0)
bool(false)
bool(true)
bool(true)
bool(true)
