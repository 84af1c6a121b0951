--TEST--
Names of any bytes and of 10 kB are names
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
foreach (["binary_names \0\r\n\xff\u{1F512}", str_repeat('binary_names/', 800), "binary_names {a}{b",
	"binary_names:rlk:fence:", ' ', '0'] as $name) {
	$lock = new RedisLock($server->options(['name' => $name]));
	$again = new RedisLock($server->options());
	echo json_encode([$lock->acquire(), $lock->getName() === $name, $redis('GET', $name) === $lock->getToken(),
		$again->lock($name),
		$lock->keepAlive(), $lock->holder()['pid'] === getmypid(), $lock->release(), $again->lock($name),
			$again->unlock($name)]), "\n";
}
/* Two names that differ behind a NUL are two locks. */
$lock = new RedisLock($server->options());
var_dump($lock->lock("binary_names\0a"), $lock->lock("binary_names\0b"), $redis('DBSIZE'));
?>
--EXPECT--
[true,true,true,false,true,true,true,true,true]
[true,true,true,false,true,true,true,true,true]
[true,true,true,false,true,true,true,true,true]
[true,true,true,false,true,true,true,true,true]
[true,true,true,false,true,true,true,true,true]
[true,true,true,false,true,true,true,true,true]
bool(true)
bool(true)
int(2)
