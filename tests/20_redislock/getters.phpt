--TEST--
RedisLock: getters and the string form, held or not
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$lock = new RedisLock($server->options(['name' => 'getters', 'prefix' => 'p:', 'ttl' => 1.5]));
$show = function () use ($lock) {
	echo $lock->getName(), ' ', $lock, ' ', json_encode([$lock->getToken() !== null, $lock->getFence()]), "\n";
};
$show();
$_ = $lock->acquire();
$show();
$_ = $lock->keepAlive(90);
$show();
$lock->release();
$show();
echo addcslashes(new RedisLock(['ttl' => 315360000, 'name' => "binary\0name"]), "\0"), "\n";
echo new RedisLock(['ttl' => 0.001]), ' ', new RedisLock(['ttl' => 123456.789]), "\n";
?>
--EXPECT--
getters getters[1.5] [false,null]
getters getters[1.5] [true,null]
getters getters[90] [true,null]
getters getters[1.5] [false,null]
binary\000name[315360000]
[0.001] [123456.789]
