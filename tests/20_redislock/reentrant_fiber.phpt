--TEST--
reentrant: another fiber is refused
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$options = $server->options(['name' => 'reentrant_fiber', 'reentrant' => true]);
$main = new RedisLock($options);
$_ = $main->acquire();
$fiber = new Fiber(function () use ($options, $main) {
	$lock = new RedisLock($options);
	var_dump($lock->acquire());
	Fiber::suspend();
	var_dump($lock->acquire(), (new RedisLock($options))->acquire());
	Fiber::suspend();
	var_dump($lock->release());
	var_dump($lock->release());
});
$fiber->start();
$main->release();
$fiber->resume();
var_dump($main->acquire());
$fiber->resume();
var_dump($redis('EXISTS', 'reentrant_fiber'));
?>
--EXPECT--
bool(false)
bool(true)
bool(true)
bool(false)
bool(true)
bool(false)
int(0)
