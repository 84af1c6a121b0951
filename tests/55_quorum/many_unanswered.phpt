--TEST--
Quorums: what a server that hangs has not answered about many locks keeps none of them waiting, nor those of other servers
--EXTENSIONS--
posix
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';

$servers = servers(3);
$red = new RedLock([...addresses([$servers[0], $servers[1]]), ...addresses([$servers[2]], 0.2)]);
$locks = [];
for ($i = 0; $i < 20; $i++) {
	$locks[] = lock_on_all($red, $servers, "job$i");
}
$single = new RedisLock($servers[0]->options(['name' => 'single', 'ttl' => 30], true));
var_dump($single->acquire());
$try = function (callable $do): mixed {
	try {
		return $do();
	} catch (RedisLock\ConnectionException $e) {
		return $e->getMessage();
	}
};
$servers[2]->freeze();
for ($round = 0; $round < 4; $round++) {
	foreach ($locks as $i => $lock) {
		$extended = $try(fn () => $red->extend($lock, 60000));
		if (!is_array($extended)) {
			var_dump($extended);
			break 2;
		}
		$locks[$i] = $extended;
	}
	echo "all extended\n";
	pause(0.25, 'it is given up then, and tried again');
}
var_dump($try(fn () => $single->keepAlive(30)));
?>
--EXPECT--
bool(true)
all extended
all extended
all extended
all extended
bool(true)
