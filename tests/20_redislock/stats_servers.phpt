--TEST--
RedisLock\stats(): tells services of one name and quorums with one first server apart
--EXTENSIONS--
redislock
--FILE--
<?php
$all = [
	['host' => '127.0.0.1', 'port' => 1],
	['sentinels' => ['tcp://127.0.0.1:1', 'tcp://127.0.0.1:2'], 'service' => 'main'],
	['sentinels' => ['tcp://127.0.0.1:3', 'tcp://127.0.0.1:4'], 'service' => 'main'],
	['sentinels' => ['tcp://127.0.0.1:1', 'tcp://127.0.0.1:2'], 'service' => 'other'],
	['cluster' => ['127.0.0.1:1', '127.0.0.1:2']],
	['servers' => ['tcp://127.0.0.1:1', 'tcp://127.0.0.1:2', 'tcp://127.0.0.1:3']],
	['servers' => ['tcp://127.0.0.1:1', 'tcp://127.0.0.1:2', 'tcp://127.0.0.1:4']],
];
for ($i = 0; $i < 33; $i++) { /* paths as long as they can be */
	$many[] = "unix:///" . str_pad((string) $i, 100, '/');
}
foreach ([...$all, ['servers' => array_slice($many, 0, 32)], ['servers' => array_slice($many, 1, 32)], ...$all] as $options) {
	new RedisLock(['name' => 'stats_servers'] + $options);
}
foreach (array_keys(RedisLock\stats()['servers']) as $name) {
	echo strlen($name) < 200 ? $name : substr($name, 0, 20) . '..., ' . strlen($name) . ' bytes', "\n";
}
?>
--EXPECT--
tcp://127.0.0.1:1
service main at tcp://127.0.0.1:1
service main at tcp://127.0.0.1:3
service other at tcp://127.0.0.1:1
cluster tcp://127.0.0.1:1
quorum tcp://127.0.0.1:1 tcp://127.0.0.1:2 tcp://127.0.0.1:3
quorum tcp://127.0.0.1:1 tcp://127.0.0.1:2 tcp://127.0.0.1:4
quorum unix:///0////..., 1023 bytes
quorum unix:///1////..., 1023 bytes
