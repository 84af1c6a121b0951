--TEST--
keepAlive(): the extension after a wait shortens nothing, whenever it arrives
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$monitor = $server->client();
var_dump($monitor('MONITOR'));
$lock = new RedisLock($server->options(['name' => 'late_extension_wait', 'ttl' => 30]));
foreach ([300, 0] as $ttl) {
	$redis('SET', 'late_extension_wait', 'of another', 'PX', 50);
	var_dump($lock->acquire(10), $lock->keepAlive($ttl));
	/* A proxy delivers once more what was sent when the wait was over. */
	do {
		$line = $monitor->receive();
	} while (!preg_match('/\] "EVAL" "(.+)" "1" "late_extension_wait" "(\S+)" "30000"$/', $line, $m) || $m[2] !== $lock->getToken());
	echo json_encode($redis('EVAL', stripcslashes($m[1]), 1, 'late_extension_wait', $m[2], 30000) > 0), "\n";
	$left = $redis('PTTL', 'late_extension_wait');
	expect_between('left', $left, $ttl > 0 ? 250_000 : -1, $ttl > 0 ? 300_000 : -1);
	var_dump($lock->release());
}
?>
--EXPECT--
string(2) "OK"
bool(true)
bool(true)
true
left: ok
bool(true)
bool(true)
bool(true)
true
left: ok
bool(true)
