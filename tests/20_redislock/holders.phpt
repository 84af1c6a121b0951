--TEST--
RedisLock::holders(), forceRelease(): one, nobody, and the many of a sorted set
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$lock = new RedisLock($server->options(['name' => 'holders', 'label' => 'me']));
var_dump($lock->holders(), $lock->acquire());
[$only] = $lock->holders();
var_dump([...$only, 'ttl' => round($only['ttl'])] === [...$lock->holder(), 'ttl' => round($only['ttl'])], $lock->release());

// As the readers of Symfony's store, more than one answer holds, and one whose time is over.
[$now] = $redis('TIME');
for ($i = 0; $i < 300; $i++) {
	$redis('ZADD', 'holders', (string) ($now * 1000 + 60000 + $i), sprintf('%03d', $i) . str_repeat('=', 41));
}
$redis('ZADD', 'holders', '1', 'over');
$redis('PEXPIRE', 'holders', '60300');
$holders = $lock->holders();
var_dump(array_column($holders, 'token') === array_map(fn ($i) => sprintf('%03d', $i) . str_repeat('=', 41), range(0, 299)));
var_dump($holders[299]['ttl'] > 30, $holders[0]['waited'], $lock->acquire());

// One of them is ended.
echo json_encode([$lock->forceRelease($holders[7]['token']), $lock->forceRelease($holders[7]['token']), $redis('ZCARD', 'holders')]), "\n";

// A set without expiry is held by somebody; what is no lock is an error.
$redis('PERSIST', 'holders');
var_dump(array_column($lock->holders(), 'token'));
$redis('DEL', 'holders');
$redis('SADD', 'holders', 'x');
try {
	$lock->holders();
} catch (RedisLock\Exception $e) {
	echo $e->getMessage(), "\n";
}
$redis('DEL', 'holders');
?>
--EXPECTF--
array(0) {
}
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(false)
bool(false)
[true,false,299]
array(1) {
  [0]=>
  string(0) ""
}
%Sthe key holds a set, not a lock%S
