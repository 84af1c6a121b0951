--TEST--
reentrant: the same lock is entered again by another object, and freed by the last to leave
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$options = $server->options(['name' => 'reentrant', 'reentrant' => true]);
$a = new RedisLock($options);
$b = new RedisLock($options);
var_dump($a->acquire(), $a->acquire(), $b->acquire(), $b->lock('reentrant'));
var_dump($a->getToken() === $b->getToken(), $b->isHeld(), $b->remaining() > 0, $b->isAcquired());
var_dump($b->keepAlive(100), $a->remaining() > 60);

/* Somebody without the option is another client, in the same process too. */
$other = new RedisLock($server->options(['name' => 'reentrant']));
var_dump($other->acquire());

var_dump($a->release(), $b->release(), $b->unlock('reentrant'), $redis('EXISTS', 'reentrant'), $b->isHeld(),
	$b->release());
var_dump($a->release(), $redis('EXISTS', 'reentrant'), $a->release(), $other->acquire());

/* It is another's: entered again only by who is in. */
var_dump($a->acquire(), $b->acquire());
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(false)
bool(true)
bool(true)
bool(true)
int(1)
bool(false)
bool(false)
bool(true)
int(0)
bool(false)
bool(true)
bool(false)
bool(false)
