--TEST--
What one layer of options says of the connection holds for the server that a later layer names
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server(false, '--requirepass', '12345');
$redis = $server->client();
$redis('AUTH', '12345');
foreach ([
	'arguments' => [['password' => '12345', 'database' => 2], $server->options()],
] as $name => $arguments) {
	$arguments[1]['name'] = 'default';
	$lock = new RedisLock(...$arguments);
	try {
		$_ = $lock->acquire();
		echo $name, ': ', $redis('SELECT', 2), ' ', $redis('EXISTS', 'default'), "\n";
		$lock->release();
	} catch (RedisLock\Exception $e) {
		echo $name, ': ', $e->getMessage(), "\n";
	}
}

/* The credentials of the default server stay with it. */
ini_set('redislock.server', 'tcp://127.0.0.1:1?password=12345');
try {
	$_ = (new RedisLock($server->options(['name' => 'default'])))->acquire();
} catch (RedisLock\Exception $e) {
	echo 'default: ', $e->getMessage(), "\n";
}
?>
--EXPECTF--
arguments: OK 1
default: lock "default": the server answered: NOAUTH Authentication required. (unix://%s)
