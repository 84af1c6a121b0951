--TEST--
Sentinel and Cluster: a SET that was lost with its server is released wherever the key is by now, before the wait goes on
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
require __DIR__ . '/../inc/fake_server.inc';
$acquired = function (RedisLock $lock): void {
	$began = now();
	var_dump($lock->acquire(10));
	expect_between('without the ttl of the lost one', now() - $began, 0, 6);
	var_dump($lock->release());
};
$release = 'EXPECT EVALSHA * 3 lost_set {lost_set}:rlk:waiters {lost_set}:rlk:signal *';
$unread = 'EXPECT EVAL * 3 lost_set {lost_set}:rlk:waiters {lost_set}:rlk:signal *';

/* The first node's SET may have reached its replica, which has taken over; the other node knows. */
$new = new Server(true);
$redis = $new->client();
$moved = "SEND -MOVED 4161 127.0.0.1:$new->port";
foreach ([false, true] as $renew) {
	echo 'Cluster, renew ', json_encode($renew), "\n";
	$died = new FakeServer("
		EXPECT SET lost_set * NX PX 12000
		GONE
		CLOSE", $first = Server::freePort());
	/* The keys that wake may be on another node than the lock. */
	$knows = new FakeServer("
		EXPECT EVAL * 1 lost_set *
		EXPECT EVAL * 3 lost_set {lost_set}:rlk:waiters {lost_set}:rlk:signal
		$moved
		$moved
		$release
		$moved", $second = Server::freePort());
	$acquired(new RedisLock(['cluster' => ["127.0.0.1:$first", "127.0.0.1:$second"], 'name' => 'lost_set',
		'ttl' => 12, 'renew' => $renew, 'persistent' => false]));
	echo $died->verdict(), $knows->verdict();
	var_dump($redis('EXISTS', 'lost_set'));
}

echo "Sentinel\n";
$port = Server::freePort();
$connects = "EXPECT SENTINEL get-master-addr-by-name service
	SEND *2\\r\\n\$9\\r\\n127.0.0.1\\r\\n\$" . strlen((string) $port) . "\\r\\n$port
	EXPECT-CLOSE
	EXPECT ROLE
	SEND *3\\r\\n\$6\\r\\nmaster\\r\\n:0\\r\\n*0";
/* It is its own sentinel, and comes back with what it had written to its disk. */
$restarted = new FakeServer("
	$connects
	EXPECT SET lost_set * NX PX 12000
	CLOSE
	$connects
	$unread
	SEND -LOADING Redis is loading the dataset in memory
	$release
	SEND -LOADING Redis is loading the dataset in memory
	$release
	SEND :1
	EXPECT EVALSHA * 6 lost_set {lost_set}:rlk:waiters {lost_set}:rlk:signal {lost_set}:rlk:turn {lost_set}:rlk:turn:rlk:waiters {lost_set}:rlk:turn:rlk:signal * 2000  * *
	SEND *4\\r\\n:1\\r\\n:0\\r\\n:0\\r\\n:0
	EXPECT EVAL * 1 lost_set * 12000
	SEND :1
	$release
	SEND :1
	EXPECT-CLOSE", $port);
$acquired(new RedisLock(['sentinels' => ["127.0.0.1:$port"], 'service' => 'service', 'name' => 'lost_set',
	'ttl' => 12, 'persistent' => false]));
echo $restarted->verdict();
?>
--EXPECT--
Cluster, renew false
bool(true)
without the ttl of the lost one: ok
bool(true)
played
played
int(0)
Cluster, renew true
bool(true)
without the ttl of the lost one: ok
bool(true)
played
played
int(0)
Sentinel
bool(true)
without the ttl of the lost one: ok
bool(true)
played
