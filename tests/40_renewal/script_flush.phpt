--TEST--
renewal child: goes on when the server forgets the scripts
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$lock = new RedisLock($s->options(['name' => 'script_flush', 'ttl' => 30, 'interval' => 0.2, 'renew' => true]));
$_ = $lock->acquire();
for ($renewals = $i = 0; $i < 5; $i++) {
	$redis('SCRIPT', 'FLUSH');
	$renewals += is_renewed($redis, 'script_flush');
}
var_dump($lock->isHeld() && $renewals === 5, $lock->release());
--EXPECT--
bool(true)
bool(true)
