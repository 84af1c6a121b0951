--TEST--
Sentinel: servers that are known by name; the renewal child has its parent resolve the new one
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server_knows_names('6.2'); ?>
--FILE--
<?php
require __DIR__ . '/../inc/sentinel.inc';
$all = new Sentinels(1, 1, host: 'localhost');
$lock = new RedisLock($all->options(['name' => 'sentinel_names', 'ttl' => 30, 'interval' => 0.2, 'renew' => true,
	'sentinels' => ["localhost:{$all->sentinels[0]->port}"]]));
var_dump($lock->acquire());
$all->awaitCopies('sentinel_names');
echo $all->ask($all->sentinels[0])('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'mymaster')[0], "\n";
$new = $all->client($all->kill());
var_dump(is_renewed($new, 'sentinel_names'), $lock->isHeld(), $lock->release(), $new('KEYS', '*'));
?>
--EXPECT--
bool(true)
localhost
bool(true)
bool(true)
bool(true)
array(0) {
}
