--TEST--
A key of another type is not ours, and a sorted set is held by somebody else: Symfony has locks in those
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$lock = new RedisLock($server->options(['name' => 'wrong_type_key']));
$bool = function (callable $do) {
	try {
		return $do();
	} catch (RedisLock\Exception $e) {
		return preg_replace('/.*: | \(.*/', '', $e->getMessage());
	}
};
foreach ([['ZADD', 'wrong_type_key', 1, 'a'], ['RPUSH', 'wrong_type_key', 'a'], ['HSET', 'wrong_type_key', 'a',
	'b']] as $command) {
	$_ = $lock->acquire();
	$redis('DEL', 'wrong_type_key');
	$redis(...$command);
	echo $redis('TYPE', 'wrong_type_key'), ': ', json_encode([$lock->isAcquired(), $lock->keepAlive(),
		$lock->release(), $bool($lock->acquire(...))]);
	$restored = RedisLock::restore($server->options(), 'wrong_type_key', 'a');
	echo json_encode([$restored->isAcquired(), $restored->release(), $redis('EXISTS', 'wrong_type_key'),
		$bool($lock->forceRelease(...))]), "\n";
	$redis('DEL', 'wrong_type_key');
}
/* What expires without an owner of ours: still held. */
$redis('SET', 'wrong_type_key', 'x');
var_dump($lock->acquire(0.5), $redis('PTTL', 'wrong_type_key'));
?>
--EXPECT--
zset: [false,false,false,false][false,false,1,"the key holds a sorted set, not a lock"]
list: [false,false,false,"the key holds a list, not a lock"][false,false,1,"the key holds a list, not a lock"]
hash: [false,false,false,"the key holds a hash, not a lock"][false,false,1,"the key holds a hash, not a lock"]
bool(false)
int(-1)
