--TEST--
fence: a number that grows with every acquisition, and outlives the lock
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$options = $server->options(['name' => 'fence', 'prefix' => 'p:', 'fence' => true]);
$a = new RedisLock($options);
$b = new RedisLock($options);
var_dump($a->acquire(), $a->getFence(), $b->acquire(), $b->getFence());
expect_between('PTTL', $redis('PTTL', 'p:fence'), 1, 60000);
var_dump($redis('GET', 'p:fence') === $a->getToken(), $a->keepAlive(), $a->getFence());
var_dump($a->release(), $a->getFence(), $b->acquire(), $b->getFence());
var_dump($redis('GET', 'p:{p:fence}:rlk:fence'), $redis('PTTL', 'p:{p:fence}:rlk:fence'));
$redis('DEL', 'p:fence');
var_dump($a->lock('fence', RedisLock::BLOCKED, ['waitTime' => 1]), $a->getFence(), $b->isHeld(), $b->isAcquired(),
	$b->getFence());

/* Each name its own, and none without the option. */
var_dump($a->lock('fence:2'), $redis('GET', 'p:{p:fence:2}:rlk:fence'));
$plain = new RedisLock($server->options(['name' => 'fence:3']));
var_dump($plain->acquire(), $plain->getFence());
?>
--EXPECT--
bool(true)
int(1)
bool(false)
NULL
PTTL: ok
bool(true)
bool(true)
int(1)
bool(true)
NULL
bool(true)
int(2)
string(1) "2"
int(-1)
bool(true)
int(3)
bool(true)
bool(false)
NULL
bool(true)
string(1) "1"
bool(true)
NULL
