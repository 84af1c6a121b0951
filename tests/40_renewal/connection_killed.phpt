--TEST--
renewal child: connects again when its connection is cut
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$lock = new RedisLock($s->options(['name' => 'connection_killed', 'ttl' => 1.5, 'renew' => true]));
$lock->acquire();
$end = now() + 2.5;
$cuts = 0;
while (now() < $end && $lock->isHeld()) {
	$cuts += $redis('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
	usleep(50_000);
}
var_dump($lock->isHeld(), $cuts > 2, $lock->release(), $redis('EXISTS', 'connection_killed'));
--EXPECT--
bool(true)
bool(true)
bool(true)
int(0)
