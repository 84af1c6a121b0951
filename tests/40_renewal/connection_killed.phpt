--TEST--
renewal child: connects again when its connection is cut
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$lock = new RedisLock($s->options(['name' => 'connection_killed', 'ttl' => 30, 'interval' => 0.2, 'renew' => true]));
$_ = $lock->acquire();
for ($cuts = $renewals = $i = 0; $i < 5; $i++) {
	$cuts += $redis('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
	$renewals += is_renewed($redis, 'connection_killed');
}
var_dump($lock->isHeld() && $renewals === 5, $cuts > 2, $lock->release(), $redis('EXISTS', 'connection_killed'));
--EXPECT--
bool(true)
bool(true)
bool(true)
int(0)
