--TEST--
Quorums: credentials that are refused are the reason given each time, not only the first
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';

$servers = array_map(fn ($address) => $address + ['password' => 'wrong'], addresses(servers(3, true, '--requirepass', 'right')));
$lock = RedisLock::restore(['servers' => $servers], 'job', 'token');
for ($i = 0; $i < 4; $i++) {
	try {
		var_dump($lock->keepAlive(10));
	} catch (RedisLock\Exception $e) {
		echo preg_match('/: ([^:]*: WRONGPASS)/', $e->getMessage(), $m) ? $m[1] : $e->getMessage(), "\n";
	}
}
?>
--EXPECT--
the server refused the credentials: WRONGPASS
the server refused the credentials: WRONGPASS
the server refused the credentials: WRONGPASS
the server refused the credentials: WRONGPASS
