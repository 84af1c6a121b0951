--TEST--
renewal child: goes on when the server forgets the scripts
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$lock = new RedisLock($s->options(['name' => 'script_flush', 'ttl' => 1.5, 'renew' => true]));
$lock->acquire();
$end = now() + 2.5;
while (now() < $end && $lock->isHeld()) {
	$redis('SCRIPT', 'FLUSH');
	usleep(20_000);
}
var_dump($lock->isHeld(), $lock->release());
--EXPECT--
bool(true)
bool(true)
