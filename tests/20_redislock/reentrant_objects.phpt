--TEST--
reentrant: an object that goes leaves the lock, and the others stay in it
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$options = $server->options(['name' => 'reentrant_objects', 'reentrant' => true]);
$a = new RedisLock($options);
$b = new RedisLock($options);
$a->acquire();
$b->acquire();
$b->acquire();
unset($a);
var_dump($b->isAcquired(), $b->release(), $redis('EXISTS', 'reentrant_objects'), $b->release(), $redis('EXISTS',
	'reentrant_objects'));

/* Other names, prefixes and databases are other locks. */
$c = new RedisLock($options);
var_dump($b->acquire(), $c->lock('reentrant_objects:2'), $c->unlock('reentrant_objects:2'));
var_dump((new RedisLock($options + ['prefix' => 'p:']))->acquire(),
	(new RedisLock($options + ['database' => 1]))->acquire());
$second = $server->client();
$second('SELECT', 1);
var_dump($second('DBSIZE'));
var_dump($redis('EXISTS', 'p:reentrant_objects'), $c->acquire(), $c->getToken() === $b->getToken());

/* Lost: the count is over for all. */
$redis('DEL', 'reentrant_objects');
var_dump($b->keepAlive(), $c->isHeld(), $c->release(), $c->acquire(), $b->isHeld(), $b->acquire());
var_dump($b->release(), $redis('EXISTS', 'reentrant_objects'), $c->release(), $redis('EXISTS', 'reentrant_objects'));
?>
--EXPECT--
bool(true)
bool(true)
int(1)
bool(true)
int(0)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
int(1)
int(1)
bool(true)
bool(true)
bool(false)
bool(false)
bool(false)
bool(true)
bool(false)
bool(true)
bool(true)
int(1)
bool(true)
int(0)
